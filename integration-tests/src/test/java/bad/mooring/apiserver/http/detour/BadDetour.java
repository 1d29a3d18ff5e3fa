package bad.mooring.apiserver.http.detour;

/** A step that nobody has put in its order: R15. */
class BadDetour {}
