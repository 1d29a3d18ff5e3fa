package bad.mooring.manager;

import tools.jackson.databind.json.JsonMapper;

/** Speaks the protocol's JSON by itself: R7. */
class BadAnswer {
  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }
}
