package bad.mooring.manager;

import tools.jackson.databind.json.JsonMapper;

/** R7: writes JSON of the Model Context Protocol itself. */
class BadAnswer {
  String json() {
    return JsonMapper.shared().writeValueAsString(this);
  }
}
