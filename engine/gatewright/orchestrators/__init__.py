"""Who carries a dispatch out: tasks, terminals and the events of workers, behind one small protocol."""
