"""From Markdown to the contract as data: tables, cells, rules, and how they fit together."""
