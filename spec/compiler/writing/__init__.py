"""From the contract as data to what is generated: schemas, two OpenAPI documents, the catalogue."""
