package bad.mooring.expander.decide;

/** R12: a meaningless name. */
public class ResizeHelper {}
