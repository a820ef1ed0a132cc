"""Looking things up outside, one module a technology. A probe answers with a noun; what it finds never raises."""
