package bad.mooring.manager;

/** R12: a name that a class of another package has. */
class BadTool {}
