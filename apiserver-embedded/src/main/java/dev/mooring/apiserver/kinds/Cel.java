package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * As much of the Common Expression Language as validation rules of custom resources use: fields,
 * has(), comparisons, logic, arithmetic, strings, lists and their macros. What it does not know is
 * a {@link CelException}, when the rule is read.
 */
final class Cel {
  /** A rule that cannot be read or evaluated. */
  static final class CelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CelException(String message) {
      super(message, null, false, false);
    }
  }

  /** An expression that was read. */
  @FunctionalInterface
  interface Node {
    @Nullable Object eval(Map<String, @Nullable Object> vars);
  }

  /**
   * What a rule is about.
   *
   * @param self the value
   * @param oldSelf what it was, null if it is new
   * @param optional whether the rule sees oldSelf as an optional
   */
  record Subject(JsonElement self, @Nullable JsonElement oldSelf, boolean optional) {
    Map<String, @Nullable Object> variables() {
      Map<String, @Nullable Object> vars = new HashMap<>();
      vars.put("self", CelValues.value(self));
      Object old = CelValues.value(oldSelf);
      vars.put("oldSelf", optional ? Optional.ofNullable(old) : old);
      return vars;
    }
  }

  private final CelParser read;
  private final Node root;

  /** Reads a rule. */
  Cel(String rule) {
    read = new CelParser(rule);
    root = read.rule();
  }

  /** Whether the rule holds. */
  boolean holds(Subject subject) {
    return Boolean.TRUE.equals(root.eval(subject.variables()));
  }

  /** What a message expression says; empty if that is no line of text. */
  Optional<String> told(Subject subject) {
    return root.eval(subject.variables()) instanceof String text
            && !text.isBlank()
            && !text.contains("\n")
        ? Optional.of(text)
        : Optional.empty();
  }

  /** Why the rule cannot be one for values of the schema, null if it can. */
  @Nullable String wrong(JsonObject schema) {
    String undefined = undefined(schema);
    return undefined != null
        ? "compilation failed: ERROR: undefined field '" + undefined + "'"
        : read.types().wrong(schema);
  }

  /** What the expression is, "" if that is not known before there is a value. */
  String type(JsonObject schema) {
    return read.types().result(schema);
  }

  /** The first field of self in the rule that the schema does not have, null if it has them all. */
  private @Nullable String undefined(JsonObject schema) {
    for (String path : read.selfPaths()) {
      JsonObject here = schema;
      for (String name : path.split("\\.")) {
        if (!(here.get("properties") instanceof JsonObject properties)) {
          break;
        }
        if (!(properties.get(name) instanceof JsonObject next)) {
          return name;
        }
        here = next;
      }
    }
    return null;
  }
}
