package dev.mooring.apiserver.kinds.cel;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the Common Expression Language that validation rules of custom resources use: fields,
 * has(), comparisons, logic, arithmetic, strings, lists and their macros. The constructor throws
 * {@link CelException} for anything else.
 */
public final class CelRule {
  public static final class CelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CelException(String message) {
      super(message, null, false, false);
    }
  }

  @FunctionalInterface
  interface CelNode {
    @Nullable Object eval(Map<String, @Nullable Object> vars);
  }

  /**
   * The variables of a rule.
   *
   * @param self the value
   * @param oldSelf the value before the update; null if it is new
   * @param optional true if the rule sees oldSelf as an optional
   */
  public record RuleSubject(JsonElement self, @Nullable JsonElement oldSelf, boolean optional) {
    Map<String, @Nullable Object> makeVariables() {
      Map<String, @Nullable Object> vars = new HashMap<>();
      vars.put("self", CelValues.toCelValue(self));
      Object old = CelValues.toCelValue(oldSelf);
      vars.put("oldSelf", optional ? Optional.ofNullable(old) : old);
      return vars;
    }
  }

  private final CelParser read;
  private final CelNode root;

  public CelRule(String rule) {
    read = new CelParser(rule);
    root = read.parseRule();
  }

  public boolean isSatisfied(RuleSubject subject) {
    return Boolean.TRUE.equals(root.eval(subject.makeVariables()));
  }

  public Optional<String> evaluateMessage(RuleSubject subject) {
    return root.eval(subject.makeVariables()) instanceof String text
            && !text.isBlank()
            && !text.contains("\n")
        ? Optional.of(text)
        : Optional.empty();
  }

  /** Returns why the rule is invalid for values of the schema; null if it is valid. */
  public @Nullable String findError(JsonObject schema) {
    String undefined = findUndefinedPath(schema);
    return undefined != null
        ? "compilation failed: ERROR: undefined field '" + undefined + "'"
        : read.getTypes().findError(schema);
  }

  public String findType(JsonObject schema) {
    return read.getTypes().addResult(schema);
  }

  private @Nullable String findUndefinedPath(JsonObject schema) {
    for (String path : read.getSelfPaths()) {
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
