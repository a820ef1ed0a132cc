"""What the gate is asked to do, step by step: a flow brings a request and acts on the decision, and decides nothing."""
