package dev.mooring.apiserver.kinds.cel;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
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
    @Nullable Object evaluate(Map<String, @Nullable Object> variables);
  }

  /**
   * The variables of a rule.
   *
   * @param self the value
   * @param oldSelf the value before the update; null if it is new
   * @param isOldOptional true if the rule sees oldSelf as an optional
   */
  public record RuleSubject(
      JsonElement self, @Nullable JsonElement oldSelf, boolean isOldOptional) {
    Map<String, @Nullable Object> makeVariables() {
      Map<String, @Nullable Object> variables = new HashMap<>();
      variables.put("self", CelValues.toCelValue(self));
      Object oldValue = CelValues.toCelValue(oldSelf);
      variables.put("oldSelf", isOldOptional ? Optional.ofNullable(oldValue) : oldValue);
      return variables;
    }
  }

  private final CelParser parser;
  private final CelNode root;

  public CelRule(String rule) {
    parser = new CelParser(rule);
    root = parser.parseRule();
  }

  /**
   * Creates an expression that has other variables than a validation rule.
   *
   * @param variables their names
   */
  public CelRule(String expression, List<String> variables) {
    parser = new CelParser(expression, variables);
    root = parser.parseRule();
  }

  public boolean isTrue(Map<String, JsonElement> values) {
    Map<String, @Nullable Object> variables = new HashMap<>();
    values.forEach((name, value) -> variables.put(name, CelValues.toCelValue(value)));
    return Boolean.TRUE.equals(root.evaluate(variables));
  }

  /** Returns whether the rule evaluates to true. */
  public boolean isSatisfied(RuleSubject subject) {
    return Boolean.TRUE.equals(root.evaluate(subject.makeVariables()));
  }

  /** Returns the text of a message expression; empty if it is blank or has several lines. */
  public Optional<String> evaluateMessage(RuleSubject subject) {
    return root.evaluate(subject.makeVariables()) instanceof String text
            && !text.isBlank()
            && !text.contains("\n")
        ? Optional.of(text)
        : Optional.empty();
  }

  /** Returns why the rule is invalid for values of the schema; null if it is valid. */
  public @Nullable String findError(JsonObject schema) {
    String undefinedField = findUndefinedPath(schema);
    return undefinedField != null
        ? "compilation failed: ERROR: undefined field '" + undefinedField + "'"
        : parser.getTypes().findError(schema);
  }

  /** Returns the type of the result, as CEL names it; "" if only an evaluation shows it. */
  public String inferType(JsonObject schema) {
    return parser.getTypes().inferResultType(schema);
  }

  // Returns the first field of self that the schema does not define; null if it defines all.
  private @Nullable String findUndefinedPath(JsonObject schema) {
    for (String path : parser.getSelfPaths()) {
      JsonObject parentSchema = schema;
      for (String name : path.split("\\.")) {
        if (!(parentSchema.get("properties") instanceof JsonObject properties)) {
          break;
        }
        if (!(properties.get(name) instanceof JsonObject next)) {
          return name;
        }
        parentSchema = next;
      }
    }
    return null;
  }
}
