"""The flow `dispatch`: from the gate to the proof that a worker has started, one step after another."""
