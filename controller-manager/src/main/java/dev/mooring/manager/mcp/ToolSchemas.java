package dev.mooring.manager.mcp;

import dev.mooring.manager.explain.ClusterExplainers;
import dev.mooring.manager.explain.ExplanationText;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.stream.Collectors;

final class ToolSchemas {
  private static final int MAX = 1000;

  static final String REASONS_INPUT =
      """
      {"type": "object", "additionalProperties": false, "properties": {
        "code": {"type": "string", "pattern": "^[A-Za-z]{1,64}$", "description": "A code, such as NoVolume. Default: all."}}}
      """;

  private static final String REASON =
      """
      {"type": "object", "required": ["code", "rank", "meaning", "remedy"], "properties": {
        "code": {"type": "string", "description": "A stable token."},
        "rank": {"enum": ["misconfigured", "failing", "waiting", "working", "unknown", "fine"]},
        "meaning": {"type": "string"},
        "remedy": {"type": "string", "description": "What a person can do; empty if nothing has to be done."}}}\
      """;

  static final String REASONS =
      """
      {"type": "object", "required": ["apiVersion", "kind", "items"], "properties": {
        "apiVersion": {"type": "string"}, "kind": {"const": "ReasonList"},
        "items": {"type": "array", "items": %s}}}
      """
          .formatted(REASON);

  private static final String UNSEEN =
      """
      {"type": "array", "description": "What could not be read, and what remains open because of it.", "items":
        {"type": "object", "required": ["kind", "why", "leavesOpen"], "properties": {
          "kind": {"type": "string"}, "why": {"type": "string"}, "leavesOpen": {"type": "string"}}}}\
      """;

  private static final String EVIDENCE =
      """
      {"type": "object", "required": ["candidates", "holders", "errors", "measures", "said"], "properties": {
        "candidates": {"type": "array", "description": "Objects that were considered, the best match first, with every test that each passed or failed.", "items": {"type": "object"}},
        "holders": {"type": "array", "items": {"type": "object"}},
        "errors": {"type": "array", "items": {"type": "string"}},
        "measures": {"type": "array", "items": {"type": "object"}},
        "said": {"type": "array", "description": "The last events, with their authors' texts.", "items": {"type": "object"}},
        "because": {"type": "array", "description": "Explanations of the objects that this object waits for, the nearest first. The last one is the deepest known cause.", "items": {"type": "object"}},
        "leftOut": {"type": "object", "description": "Number of omitted entries by kind of evidence.", "additionalProperties": {"type": "integer"}}}}\
      """;

  static final String EXPLANATIONS =
      """
      {"type": "object", "required": ["apiVersion", "kind", "waiting", "items", "unseen"], "properties": {
        "apiVersion": {"type": "string"}, "kind": {"const": "ExplanationList"},
        "waiting": {"type": "integer", "description": "Number of explanations of waiting objects, on all pages."},
        "next": {"type": "integer", "description": "Offset of the next page; absent on the last page."},
        "unseen": %s,
        "items": {"type": "array", "items": {"type": "object",
          "required": ["subject", "state", "waits", "reason", "note", "next", "evidence", "unseen"], "properties": {
            "subject": {"type": "object", "required": ["kind", "namespace", "name"]},
            "state": {"type": "string"},
            "since": {"type": "string", "description": "Start of this state, RFC 3339; absent if unknown."},
            "waits": {"type": "boolean"},
            "reason": %s,
            "note": {"type": "string", "description": "The reason with the names and figures of this object."},
            "next": {"type": "object", "required": ["by", "action", "text"], "description": "The next step if nothing else changes, and its actor."},
            "evidence": %s,
            "unseen": %s}}}}}
      """
          .formatted(UNSEEN, REASON, EVIDENCE, UNSEEN);

  static final String TIMELINE =
      """
      {"type": "object", "required": ["apiVersion", "kind", "earlier", "unread", "items"], "properties": {
        "apiVersion": {"type": "string"}, "kind": {"const": "Timeline"},
        "earlier": {"type": "integer", "description": "Number of omitted earlier lines."},
        "unread": {"type": "integer", "description": "Number of lines of the log that could not be parsed."},
        "items": {"type": "array", "description": "Lines of the log; empty fields are omitted.", "items": {"type": "object"}}}}
      """;

  private ToolSchemas() {}

  private static String kindEnum(List<Kind<?>> kinds) {
    return "{\"enum\": [%s]}"
        .formatted(
            kinds.stream()
                .map(kind -> "\"" + ExplanationText.shortName(kind) + "\"")
                .collect(Collectors.joining(", ")));
  }

  private static String objectSchema(List<Kind<?>> kinds, String properties) {
    return """
    {"type": "object", "additionalProperties": false, "required": ["kind", "name"], "properties": {
      "kind": %s,
      "name": {"type": "string", "minLength": 1},
      "namespace": {"type": "string", "minLength": 1, "description": "Namespace of a claim or pod. Default: the namespace that this server was started with."},
      %s}}
    """
        .formatted(kindEnum(kinds), properties);
  }

  private static String integerProperty(
      String name, int minimum, int maximum, int defaultValue, String description) {
    return """
    "%s": {"type": "integer", "minimum": %d, "maximum": %d, "default": %d, "description": "%s"}\
    """
        .formatted(name, minimum, maximum, defaultValue, description);
  }

  static String explain(int evidence) {
    return objectSchema(
        ClusterExplainers.EXPLAINED_KINDS,
        integerProperty(
            "evidence",
            0,
            MAX,
            evidence,
            "Maximum number of entries of each kind of evidence, the most relevant first."));
  }

  static String waiting(int page) {
    return """
    {"type": "object", "additionalProperties": false, "properties": {
      "namespace": {"type": "string", "description": "Limits the answer to claims and pods of this namespace. Default: all objects of all namespaces."},
      %s,
      %s}}
    """
        .formatted(
            integerProperty("offset", 0, Integer.MAX_VALUE, 0, "Number of entries to skip."),
            integerProperty("limit", 1, MAX, page, "Maximum number of entries."));
  }

  static String timeline(int lines) {
    return objectSchema(
        List.of(Kind.CLAIM, Kind.VOLUME),
        integerProperty("last", 1, MAX, lines, "Maximum number of lines, the most recent ones."));
  }
}
