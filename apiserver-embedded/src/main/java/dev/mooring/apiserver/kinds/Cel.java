package dev.mooring.apiserver.kinds;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;
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

  private final List<String> tokens = new ArrayList<>();
  private final List<String> selfPaths = new ArrayList<>();
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

  /** The paths of fields of self that the rule looks at, as a.b.c. */
  List<String> selfPaths() {
    return selfPaths;
  }

  /** Whether the rule holds. */
  boolean holds(@Nullable JsonElement self, @Nullable JsonElement oldSelf) {
    Map<String, @Nullable Object> vars = new HashMap<>();
    vars.put("self", value(self));
    vars.put("oldSelf", value(oldSelf));
    return Boolean.TRUE.equals(root.eval(vars));
  }

  static @Nullable Object value(@Nullable JsonElement json) {
    if (json == null || json.isJsonNull()) {
      return null;
    }
    if (json.isJsonArray()) {
      List<@Nullable Object> list = new ArrayList<>();
      json.getAsJsonArray().forEach(e -> list.add(value(e)));
      return list;
    }
    if (json.isJsonObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      json.getAsJsonObject().entrySet().forEach(e -> map.put(e.getKey(), value(e.getValue())));
      return map;
    }
    if (json.getAsJsonPrimitive().isBoolean()) {
      return json.getAsBoolean();
    }
    if (json.getAsJsonPrimitive().isString()) {
      return json.getAsString();
    }
    double number = json.getAsDouble();
    return number == Math.rint(number) ? (Object) json.getAsLong() : (Object) number;
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
      left = v -> Boolean.TRUE.equals(a.eval(v)) || Boolean.TRUE.equals(b.eval(v));
    }
    return left;
  }

  private Node and() {
    Node left = relation();
    while (take("&&")) {
      Node a = left;
      Node b = relation();
      left = v -> Boolean.TRUE.equals(a.eval(v)) && Boolean.TRUE.equals(b.eval(v));
    }
    return left;
  }

  private Node relation() {
    Node a = sum();
    for (String op : List.of("==", "!=", "<=", ">=", "<", ">", "in")) {
      if (take(op)) {
        Node b = sum();
        return v -> compare(op, a.eval(v), b.eval(v));
      }
    }
    return a;
  }

  private static boolean compare(String op, @Nullable Object a, @Nullable Object b) {
    return switch (op) {
      case "==" -> same(a, b);
      case "!=" -> !same(a, b);
      case "in" ->
          b instanceof Map<?, ?> map
              ? map.containsKey(a)
              : b instanceof List<?> list && list.contains(a);
      default -> {
        int order =
            a instanceof String x && b instanceof String y
                ? x.compareTo(y)
                : Double.compare(number(a), number(b));
        yield switch (op) {
          case "<=" -> order <= 0;
          case ">=" -> order >= 0;
          case "<" -> order < 0;
          default -> order > 0;
        };
      }
    };
  }

  private static boolean same(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Number x && b instanceof Number y) {
      return x.doubleValue() == y.doubleValue();
    }
    return Objects.equals(a, b);
  }

  private static double number(@Nullable Object value) {
    if (value instanceof Number n) {
      return n.doubleValue();
    }
    throw new CelException("no such overload");
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
              return x instanceof String s ? s + y : arithmetic(x, y, Long::sum, Double::sum);
            };
      } else if (take("-")) {
        Node b = product();
        left = v -> arithmetic(a.eval(v), b.eval(v), (x, y) -> x - y, (x, y) -> x - y);
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
        left = v -> arithmetic(a.eval(v), b.eval(v), (x, y) -> x * y, (x, y) -> x * y);
      } else if (take("/")) {
        Node b = unary();
        left = v -> arithmetic(a.eval(v), b.eval(v), (x, y) -> x / y, (x, y) -> x / y);
      } else if (take("%")) {
        Node b = unary();
        left = v -> arithmetic(a.eval(v), b.eval(v), (x, y) -> x % y, (x, y) -> x % y);
      } else {
        return left;
      }
    }
  }

  private static Object arithmetic(
      @Nullable Object a,
      @Nullable Object b,
      BinaryOperator<Long> whole,
      BinaryOperator<Double> broken) {
    return a instanceof Long x && b instanceof Long y
        ? (Object) whole.apply(x, y)
        : (Object) broken.apply(number(a), number(b));
  }

  private Node unary() {
    if (take("!")) {
      Node a = unary();
      return v -> !Boolean.TRUE.equals(a.eval(v));
    }
    if (take("-")) {
      Node a = unary();
      return v -> arithmetic(0L, a.eval(v), (x, y) -> x - y, (x, y) -> x - y);
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
        String name = tokens.get(at++);
        if (take("(")) {
          here = call(base, name);
          fromSelf = false;
        } else {
          if (fromSelf) {
            path.append(path.isEmpty() ? "" : ".").append(name);
            selfPaths.add(path.toString());
          }
          here = v -> field(base.eval(v), name);
        }
      } else if (take("[")) {
        Node index = ternary();
        need("]");
        fromSelf = false;
        here = v -> element(base.eval(v), index.eval(v));
      } else {
        return here;
      }
    }
  }

  private static @Nullable Object field(@Nullable Object base, String name) {
    if (base instanceof Map<?, ?> map && map.containsKey(name)) {
      return map.get(name);
    }
    throw new CelException("no such key: " + name);
  }

  private static @Nullable Object element(@Nullable Object base, @Nullable Object index) {
    if (base instanceof List<?> list && index instanceof Long i && i >= 0 && i < list.size()) {
      return list.get(i.intValue());
    }
    return field(base, String.valueOf(index));
  }

  private Node call(Node base, String name) {
    if (List.of("all", "exists", "exists_one", "filter", "map").contains(name)) {
      String variable = tokens.get(at++);
      need(",");
      Node body = ternary();
      need(")");
      return v -> macro(name, base.eval(v), variable, body, v);
    }
    List<Node> arguments = arguments();
    return v -> {
      List<@Nullable Object> values = new ArrayList<>();
      arguments.forEach(a -> values.add(a.eval(v)));
      return method(name, base.eval(v), values);
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

  private static Object method(String name, @Nullable Object base, List<@Nullable Object> args) {
    String text = String.valueOf(base);
    String first = args.isEmpty() ? "" : String.valueOf(args.getFirst());
    return switch (name) {
      case "size" -> size(base);
      case "startsWith" -> text.startsWith(first);
      case "endsWith" -> text.endsWith(first);
      case "contains" -> text.contains(first);
      case "matches" -> Pattern.compile(first).matcher(text).find();
      case "lowerAscii" -> text.toLowerCase(java.util.Locale.ROOT);
      case "upperAscii" -> text.toUpperCase(java.util.Locale.ROOT);
      default -> throw new CelException("undeclared reference to '" + name + "'");
    };
  }

  private static Object size(@Nullable Object value) {
    return switch (value) {
      case String s -> (long) s.codePointCount(0, s.length());
      case List<?> l -> (long) l.size();
      case Map<?, ?> m -> (long) m.size();
      case null, default -> throw new CelException("no such overload: size");
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

  private static Node variable(String name) {
    return v -> {
      if (!v.containsKey(name)) {
        throw new CelException("undeclared reference to '" + name + "'");
      }
      return v.get(name);
    };
  }

  private Node function(String name) {
    List<Node> arguments = arguments();
    return switch (name) {
      case "has" ->
          v -> {
            try {
              arguments.getFirst().eval(v);
              return true;
            } catch (CelException absent) {
              return false;
            }
          };
      case "size" -> v -> size(arguments.getFirst().eval(v));
      case "string" -> v -> String.valueOf(arguments.getFirst().eval(v));
      case "int" -> v -> (long) number(arguments.getFirst().eval(v));
      default -> throw new CelException("undeclared reference to '" + name + "'");
    };
  }

  /** The first field of self in the rule that the schema does not have, null if it has them all. */
  @Nullable String undefined(JsonObject schema) {
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
