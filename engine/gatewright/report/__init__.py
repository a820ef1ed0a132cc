"""Reports: a function from values to text each. They read nothing and print nothing."""
