"""The results in the forms that other tools read: Markdown, CTRF, JUnit and Allure."""
