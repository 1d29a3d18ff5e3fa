package dev.mooring.apiserver.http.discover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Which form of an OpenAPI document a client likes best. */
final class AcceptedForms {
  static final String JSON = "application/json";

  private record Range(String type, double quality) {
    static Range of(String text) {
      List<String> parts = Arrays.stream(text.split(";")).map(String::strip).toList();
      double quality = 1;
      for (String part : parts) {
        if (part.matches("q=[0-9.]+")) {
          quality = Double.parseDouble(part.substring(2));
        }
      }
      return new Range(parts.getFirst(), quality);
    }

    boolean takes(String type) {
      return this.type.equals("*/*") || this.type.equals("application/*") || this.type.equals(type);
    }
  }

  private AcceptedForms() {}

  /**
   * The media type of the first accepted form; "" if the document has none of them.
   *
   * @param accept the header, "" for any
   * @param protobuf the name of the document's protobuf form, without its version
   */
  static String first(String accept, String protobuf) {
    List<Range> ranges = new ArrayList<>();
    for (String range : (accept.isBlank() ? "*/*" : accept).split(",")) {
      ranges.add(Range.of(range.strip()));
    }
    ranges.sort(Comparator.comparing(Range::quality).reversed());
    String binary = "application/" + protobuf + ".v1.0+protobuf";
    String formerly = "application/" + protobuf + "@v1.0+protobuf";
    for (Range range : ranges) {
      if (range.takes(JSON)) {
        return JSON;
      }
      if (range.takes(binary) || range.takes(formerly)) {
        return binary;
      }
    }
    return "";
  }
}
