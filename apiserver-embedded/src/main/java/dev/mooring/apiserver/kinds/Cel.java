package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * As much of the Common Expression Language as validation rules of custom resources use: fields,
 * has(), comparisons, logic, arithmetic, strings, lists and their macros. What it does not know is
 * a {@link CelException}, when the rule is read.
 */
@SuppressWarnings("NullAway") // a lambda's parameter loses that values may be null
final class Cel {
  /** A rule that cannot be read or evaluated. */
  static final class CelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CelException(String message) {
      super(message, null, false, false);
    }
  }

  @FunctionalInterface
  private interface Node {
    @Nullable Object eval(Map<String, @Nullable Object> vars);
  }

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(\\d+\\.\\d+|\\d+)|r?\"((?:[^\"\\\\]|\\\\.)*)\"|r?'((?:[^'\\\\]|\\\\.)*)'|([A-Za-z_][A-Za-z_0-9]*)|(==|!=|<=|>=|&&|\\|\\||[-+*/%<>!?:.,()\\[\\]{}]))");

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

  private static final String UNDECLARED = "undeclared reference to '%s' (in container '')";

  private final List<String> tokens = new ArrayList<>();
  private final List<String> selfPaths = new ArrayList<>();
  private final CelTypes types = new CelTypes();
  private final Deque<String> scope = new ArrayDeque<>(List.of("self", "oldSelf"));
  private int at;
  private final Node root;

  /** Reads a rule. */
  Cel(String rule) {
    Matcher m = TOKEN.matcher(rule);
    int end = 0;
    while (end < rule.length() && m.find(end) && m.start() == end) {
      tokens.add(token(m));
      end = m.end();
    }
    if (!rule.substring(end).isBlank()) {
      throw new CelException(
          "Syntax error: token recognition error at: '" + rule.substring(end) + "'");
    }
    root = ternary();
    types.result(tokens.subList(0, at));
    if (at < tokens.size()) {
      throw new CelException("Syntax error: extraneous input '" + tokens.get(at) + "'");
    }
  }

  private static String token(Matcher m) {
    for (int text = 2; text <= 3; text++) {
      if (m.group(text) != null) {
        return "\"" + m.group(text).replace("\\\\", "\\").replace("\\\"", "\"").replace("\\'", "'");
      }
    }
    String plain = m.group(1) != null ? m.group(1) : m.group(4) != null ? m.group(4) : m.group(5);
    return Objects.requireNonNull(plain);
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
        : types.wrong(schema);
  }

  /** What the expression is, "" if that is not known before there is a value. */
  String type(JsonObject schema) {
    return types.result(schema);
  }

  private boolean take(String token) {
    if (at < tokens.size() && tokens.get(at).equals(token)) {
      at++;
      return true;
    }
    return false;
  }

  private void need(String token) {
    if (!take(token)) {
      throw new CelException("Syntax error: missing '" + token + "'");
    }
  }

  private Node ternary() {
    Node condition = or();
    if (!take("?")) {
      return condition;
    }
    Node yes = ternary();
    need(":");
    Node no = ternary();
    return v -> Boolean.TRUE.equals(condition.eval(v)) ? yes.eval(v) : no.eval(v);
  }

  private Node or() {
    Node left = and();
    while (take("||")) {
      Node a = left;
      Node b = and();
      left = v -> either(a, b, v, true);
    }
    return left;
  }

  private Node and() {
    Node left = relation();
    while (take("&&")) {
      Node a = left;
      Node b = relation();
      left = v -> either(a, b, v, false);
    }
    return left;
  }

  /** One side that decides is enough, even where the other cannot be evaluated. */
  private static boolean either(
      Node a, Node b, Map<String, @Nullable Object> vars, boolean decisive) {
    try {
      if (Boolean.TRUE.equals(a.eval(vars)) == decisive) {
        return decisive;
      }
    } catch (CelException failed) {
      if (Boolean.TRUE.equals(b.eval(vars)) == decisive) {
        return decisive;
      }
      throw failed;
    }
    return Boolean.TRUE.equals(b.eval(vars));
  }

  private Node relation() {
    int from = at;
    Node a = sum();
    int to = at;
    for (String op : List.of("==", "!=", "<=", ">=", "<", ">", "in")) {
      if (take(op)) {
        Node b = sum();
        types.comparison(op, tokens.subList(from, to), tokens.subList(to + 1, at));
        return v -> CelValues.compare(op, a.eval(v), b.eval(v));
      }
    }
    return a;
  }

  private Node sum() {
    Node left = product();
    while (true) {
      Node a = left;
      if (take("+")) {
        Node b = product();
        left =
            v -> {
              Object x = a.eval(v);
              Object y = b.eval(v);
              return x instanceof String s
                  ? s + y
                  : CelValues.arithmetic(x, y, Long::sum, Double::sum);
            };
      } else if (take("-")) {
        Node b = product();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x - y, (x, y) -> x - y);
      } else {
        return left;
      }
    }
  }

  private Node product() {
    Node left = unary();
    while (true) {
      Node a = left;
      if (take("*")) {
        Node b = unary();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x * y, (x, y) -> x * y);
      } else if (take("/")) {
        Node b = unary();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x / y, (x, y) -> x / y);
      } else if (take("%")) {
        Node b = unary();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x % y, (x, y) -> x % y);
      } else {
        return left;
      }
    }
  }

  private Node unary() {
    if (take("!")) {
      Node a = unary();
      return v -> !Boolean.TRUE.equals(a.eval(v));
    }
    if (take("-")) {
      Node a = unary();
      return v -> CelValues.arithmetic(0L, a.eval(v), (x, y) -> x - y, (x, y) -> x - y);
    }
    return member();
  }

  private Node member() {
    boolean fromSelf = at < tokens.size() && tokens.get(at).equals("self");
    StringBuilder path = new StringBuilder();
    Node here = primary();
    while (true) {
      Node base = here;
      if (take(".")) {
        boolean optional = take("?");
        String name = name();
        if (!optional && take("(")) {
          here = call(base, name);
          fromSelf = false;
        } else {
          if (fromSelf) {
            path.append(path.isEmpty() ? "" : ".").append(name);
            selfPaths.add(path.toString());
          }
          here =
              optional
                  ? v -> CelValues.optional(base.eval(v), name)
                  : v -> CelValues.field(base.eval(v), name);
        }
      } else if (take("[")) {
        Node index = ternary();
        need("]");
        fromSelf = false;
        here = v -> CelValues.element(base.eval(v), index.eval(v));
      } else {
        return here;
      }
    }
  }

  private String name() {
    if (at >= tokens.size()) {
      throw new CelException("Syntax error: mismatched input '<EOF>'");
    }
    return tokens
        .get(at++)
        .replace("__dot__", ".")
        .replace("__dash__", "-")
        .replace("__slash__", "/")
        .replace("__underscores__", "__");
  }

  private Node call(Node base, String name) {
    if (List.of("all", "exists", "exists_one", "filter", "map").contains(name)) {
      String variable = tokens.get(at++);
      need(",");
      scope.push(variable);
      Node body = ternary();
      scope.pop();
      need(")");
      return v -> macro(name, base.eval(v), variable, body, v);
    }
    if (!CelFunctions.isMethod(name)) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    String pattern = at < tokens.size() ? tokens.get(at) : "";
    if (name.equals("matches") && pattern.startsWith("\"")) {
      CelFunctions.pattern(pattern.substring(1));
    }
    List<Node> arguments = arguments();
    return v -> {
      List<@Nullable Object> values = new ArrayList<>();
      arguments.forEach(a -> values.add(a.eval(v)));
      return CelFunctions.method(name, base.eval(v), values);
    };
  }

  private List<Node> arguments() {
    List<Node> all = new ArrayList<>();
    while (!take(")")) {
      all.add(ternary());
      take(",");
    }
    return all;
  }

  private static Object macro(
      String name,
      @Nullable Object base,
      String variable,
      Node body,
      Map<String, @Nullable Object> vars) {
    List<@Nullable Object> items = new ArrayList<>();
    if (base instanceof List<?> list) {
      items.addAll(list);
    } else if (base instanceof Map<?, ?> map) {
      items.addAll(map.keySet());
    }
    List<@Nullable Object> results = new ArrayList<>();
    List<@Nullable Object> chosen = new ArrayList<>();
    for (Object item : items) {
      Map<String, @Nullable Object> inner = new HashMap<>(vars);
      inner.put(variable, item);
      Object result = body.eval(inner);
      results.add(result);
      if (Boolean.TRUE.equals(result)) {
        chosen.add(item);
      }
    }
    return switch (name) {
      case "all" -> chosen.size() == items.size();
      case "exists" -> !chosen.isEmpty();
      case "exists_one" -> chosen.size() == 1;
      case "filter" -> chosen;
      default -> results;
    };
  }

  private Node primary() {
    if (at >= tokens.size()) {
      throw new CelException("Syntax error: mismatched input '<EOF>'");
    }
    String token = tokens.get(at++);
    if (token.startsWith("\"")) {
      return v -> token.substring(1);
    }
    if (Character.isDigit(token.charAt(0))) {
      Object number =
          token.contains(".") ? (Object) Double.valueOf(token) : (Object) Long.valueOf(token);
      return v -> number;
    }
    switch (token) {
      case "(" -> {
        Node inner = ternary();
        need(")");
        return inner;
      }
      case "[" -> {
        List<Node> items = new ArrayList<>();
        while (!take("]")) {
          items.add(ternary());
          take(",");
        }
        return v -> {
          List<@Nullable Object> list = new ArrayList<>();
          items.forEach(i -> list.add(i.eval(v)));
          return list;
        };
      }
      case "true" -> {
        return v -> true;
      }
      case "false" -> {
        return v -> false;
      }
      case "null" -> {
        return v -> null;
      }
      default -> {
        return take("(") ? function(token) : variable(token);
      }
    }
  }

  private Node variable(String name) {
    if (!scope.contains(name) && !name.equals("optional")) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    return v -> v.get(name);
  }

  private Node function(String name) {
    boolean asksForPresence = name.equals("has");
    if (!asksForPresence && !CelFunctions.isFunction(name)) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    List<Node> arguments = arguments();
    if (arguments.isEmpty()) {
      throw new CelException("found no matching overload for '" + name + "' applied to '()'");
    }
    Node argument = arguments.getFirst();
    if (!asksForPresence) {
      return v -> CelFunctions.function(name, argument.eval(v));
    }
    return v -> {
      try {
        argument.eval(v);
        return true;
      } catch (CelException absent) {
        return false;
      }
    };
  }

  /** The first field of self in the rule that the schema does not have, null if it has them all. */
  private @Nullable String undefined(JsonObject schema) {
    for (String path : selfPaths) {
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
