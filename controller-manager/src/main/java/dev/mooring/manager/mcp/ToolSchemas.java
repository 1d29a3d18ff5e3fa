package dev.mooring.manager.mcp;

import dev.mooring.manager.explain.Explainers;
import dev.mooring.manager.explain.ExplanationText;
import dev.mooring.model.Kind;
import java.util.List;
import java.util.stream.Collectors;

/** What tools are asked and what they answer, as JSON schemas. Members not named are refused. */
final class ToolSchemas {
  private static final int MOST = 1000;

  /** A code, or none. */
  static final String REASONS_ASKED =
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
        "remedy": {"type": "string", "description": "What a person can do; empty where nothing has to be done."}}}\
      """;

  /** Reasons. */
  static final String REASONS =
      """
      {"type": "object", "required": ["apiVersion", "kind", "items"], "properties": {
        "apiVersion": {"type": "string"}, "kind": {"const": "ReasonList"},
        "items": {"type": "array", "items": %s}}}
      """
          .formatted(REASON);

  private static final String UNSEEN =
      """
      {"type": "array", "description": "What could not be read, and what that leaves open.", "items":
        {"type": "object", "required": ["kind", "why", "leavesOpen"], "properties": {
          "kind": {"type": "string"}, "why": {"type": "string"}, "leavesOpen": {"type": "string"}}}}\
      """;

  private static final String EVIDENCE =
      """
      {"type": "object", "required": ["candidates", "holders", "errors", "measures", "said"], "properties": {
        "candidates": {"type": "array", "description": "What might have been taken, the nearest first, with every test that it passed or failed.", "items": {"type": "object"}},
        "holders": {"type": "array", "items": {"type": "object"}},
        "errors": {"type": "array", "items": {"type": "string"}},
        "measures": {"type": "array", "items": {"type": "object"}},
        "said": {"type": "array", "description": "The last events, in the words of whoever wrote them.", "items": {"type": "object"}},
        "leftOut": {"type": "object", "description": "How many of each are left out.", "additionalProperties": {"type": "integer"}}}}\
      """;

  /** An ExplanationList, as {@code explain -o json} prints it. */
  static final String EXPLANATIONS =
      """
      {"type": "object", "required": ["apiVersion", "kind", "waiting", "items", "unseen"], "properties": {
        "apiVersion": {"type": "string"}, "kind": {"const": "ExplanationList"},
        "waiting": {"type": "integer", "description": "How many reasons to wait there are, on all pages."},
        "next": {"type": "integer", "description": "The offset of the next page; missing on the last."},
        "unseen": %s,
        "items": {"type": "array", "items": {"type": "object",
          "required": ["subject", "state", "waits", "reason", "note", "next", "evidence", "unseen"], "properties": {
            "subject": {"type": "object", "required": ["kind", "namespace", "name"]},
            "state": {"type": "string"},
            "since": {"type": "string", "description": "Since when it is so, RFC 3339; missing if that is not known."},
            "waits": {"type": "boolean"},
            "reason": %s,
            "note": {"type": "string", "description": "The reason with the names and figures of this very object."},
            "next": {"type": "object", "required": ["by", "action", "text"], "description": "What happens if nobody changes anything else, and who does it."},
            "evidence": %s,
            "unseen": %s}}}}}
      """
          .formatted(UNSEEN, REASON, EVIDENCE, UNSEEN);

  /** A Timeline. */
  static final String TIMELINE =
      """
      {"type": "object", "required": ["apiVersion", "kind", "earlier", "unread", "items"], "properties": {
        "apiVersion": {"type": "string"}, "kind": {"const": "Timeline"},
        "earlier": {"type": "integer", "description": "How many lines before these are not told."},
        "unread": {"type": "integer", "description": "How many lines of the log could not be read."},
        "items": {"type": "array", "description": "Lines of the log; what is empty is left out.", "items": {"type": "object"}}}}
      """;

  private ToolSchemas() {}

  private static String kinds(List<Kind<?>> kinds) {
    return "{\"enum\": [%s]}"
        .formatted(
            kinds.stream()
                .map(kind -> "\"" + ExplanationText.shortName(kind) + "\"")
                .collect(Collectors.joining(", ")));
  }

  private static String object(List<Kind<?>> kinds, String more) {
    return """
    {"type": "object", "additionalProperties": false, "required": ["kind", "name"], "properties": {
      "kind": %s,
      "name": {"type": "string", "minLength": 1},
      "namespace": {"type": "string", "minLength": 1, "description": "Where a claim or a pod is. Default: the namespace that this server was started with."},
      %s}}
    """
        .formatted(kinds(kinds), more);
  }

  private static String number(String name, int least, int most, int otherwise, String what) {
    return """
    "%s": {"type": "integer", "minimum": %d, "maximum": %d, "default": %d, "description": "%s"}\
    """
        .formatted(name, least, most, otherwise, what);
  }

  /** An object, and how much of the evidence is wanted. */
  static String explain(int evidence) {
    return object(
        Explainers.KINDS,
        number(
            "evidence",
            0,
            MOST,
            evidence,
            "How many of each sort of evidence are told to programs at most, the nearest first."));
  }

  /** A namespace or all, and which part. */
  static String waiting(int page) {
    return """
    {"type": "object", "additionalProperties": false, "properties": {
      "namespace": {"type": "string", "description": "Of this one only, claims and pods. Default: everything in all namespaces."},
      %s,
      %s}}
    """
        .formatted(
            number(
                "offset", 0, Integer.MAX_VALUE, 0, "How many of the most urgent are passed over."),
            number("limit", 1, MOST, page, "How many are told at most."));
  }

  /** A claim or a volume, and how many lines. */
  static String timeline(int lines) {
    return object(
        List.of(Kind.CLAIM, Kind.VOLUME),
        number("last", 1, MOST, lines, "How many lines are told at most: the last ones."));
  }
}
