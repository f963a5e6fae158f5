"""What is told: tables, rows, clauses, forms and figures, as pages show them."""
