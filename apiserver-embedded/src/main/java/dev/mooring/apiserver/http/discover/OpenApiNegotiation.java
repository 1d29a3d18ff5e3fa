package dev.mooring.apiserver.http.discover;

import dev.mooring.apiserver.http.render.AcceptRange;
import java.util.List;

final class OpenApiNegotiation {
  static final String JSON = "application/json";

  private OpenApiNegotiation() {}

  /**
   * Returns the first accepted media type; "" if the document is not available in any.
   *
   * @param accept the header; "" for any
   * @param protobuf the media type of the protobuf form, without its version
   */
  static String selectFirst(String accept, String protobuf) {
    String protobufType = "application/" + protobuf + ".v1.0+protobuf";
    String oldProtobufType = "application/" + protobuf + "@v1.0+protobuf";
    for (AcceptRange range : AcceptRange.parseSorted(accept.isBlank() ? "*/*" : accept)) {
      if (List.of(JSON, "application/*", "*/*").contains(range.getType())) {
        return JSON;
      }
      if (List.of(protobufType, oldProtobufType).contains(range.getType())) {
        return protobufType;
      }
    }
    return "";
  }
}
