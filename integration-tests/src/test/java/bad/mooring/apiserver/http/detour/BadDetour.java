package bad.mooring.apiserver.http.detour;

/** R15: a step without a place in the order. */
class BadDetour {}
