package dev.mooring.apiserver.http.discover;

import dev.mooring.apiserver.http.render.AcceptRange;
import java.util.List;

/** Which form of an OpenAPI document a client likes best. */
final class AcceptedForms {
  static final String JSON = "application/json";

  private AcceptedForms() {}

  /**
   * The media type of the first accepted form; "" if the document has none of them.
   *
   * @param accept the header, "" for any
   * @param protobuf the name of the document's protobuf form, without its version
   */
  static String first(String accept, String protobuf) {
    String binary = "application/" + protobuf + ".v1.0+protobuf";
    String formerly = "application/" + protobuf + "@v1.0+protobuf";
    for (AcceptRange range : AcceptRange.sorted(accept.isBlank() ? "*/*" : accept)) {
      if (List.of(JSON, "application/*", "*/*").contains(range.type())) {
        return JSON;
      }
      if (List.of(binary, formerly).contains(range.type())) {
        return binary;
      }
    }
    return "";
  }
}
