package bad.mooring.expander.decide;

/** R12: a name that says nothing. */
public class ResizeHelper {}
