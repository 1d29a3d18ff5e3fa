package dev.mooring.apiserver.kinds;

import dev.mooring.apiserver.kinds.CelRule.CelException;
import dev.mooring.apiserver.kinds.CelRule.CelNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses a rule by recursive descent, operators of the lowest precedence first. For one rule and
 * one thread.
 */
@SuppressWarnings("NullAway") // a lambda's parameter loses the nullness of values
final class CelParser {
  private static final String UNDECLARED = "undeclared reference to '%s' (in container '')";

  private final CelTokens tokens;
  private final List<String> selfPaths = new ArrayList<>();
  private final CelTypes types = new CelTypes();
  private final Deque<String> scope = new ArrayDeque<>(List.of("self", "oldSelf"));

  CelParser(String rule) {
    tokens = new CelTokens(rule);
  }

  CelNode rule() {
    CelNode root = ternary();
    types.result(tokens.between(0, tokens.position()));
    if (!tokens.isOver()) {
      throw new CelException("Syntax error: extraneous input '" + tokens.peek() + "'");
    }
    return root;
  }

  CelTypes types() {
    return types;
  }

  List<String> selfPaths() {
    return selfPaths;
  }

  private CelNode ternary() {
    CelNode condition = or();
    if (!tokens.take("?")) {
      return condition;
    }
    CelNode yes = ternary();
    tokens.expect(":");
    CelNode no = ternary();
    return v -> Boolean.TRUE.equals(condition.eval(v)) ? yes.eval(v) : no.eval(v);
  }

  private CelNode or() {
    CelNode left = and();
    while (tokens.take("||")) {
      CelNode a = left;
      CelNode b = and();
      left = v -> evaluateLogic(a, b, v, true);
    }
    return left;
  }

  private CelNode and() {
    CelNode left = relation();
    while (tokens.take("&&")) {
      CelNode a = left;
      CelNode b = relation();
      left = v -> evaluateLogic(a, b, v, false);
    }
    return left;
  }

  /** A deciding side suffices, even if evaluation of the other side fails. */
  private static boolean evaluateLogic(
      CelNode a, CelNode b, Map<String, @Nullable Object> vars, boolean decisive) {
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

  private CelNode relation() {
    int from = tokens.position();
    CelNode a = sum();
    int to = tokens.position();
    for (String op : List.of("==", "!=", "<=", ">=", "<", ">", "in")) {
      if (tokens.take(op)) {
        CelNode b = sum();
        types.comparison(op, tokens.between(from, to), tokens.between(to + 1, tokens.position()));
        return v -> CelValues.compare(op, a.eval(v), b.eval(v));
      }
    }
    return a;
  }

  private CelNode sum() {
    CelNode left = product();
    while (true) {
      CelNode a = left;
      if (tokens.take("+")) {
        CelNode b = product();
        left =
            v -> {
              Object x = a.eval(v);
              Object y = b.eval(v);
              return x instanceof String s
                  ? s + y
                  : CelValues.arithmetic(x, y, Long::sum, Double::sum);
            };
      } else if (tokens.take("-")) {
        CelNode b = product();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x - y, (x, y) -> x - y);
      } else {
        return left;
      }
    }
  }

  private CelNode product() {
    CelNode left = unary();
    while (true) {
      CelNode a = left;
      if (tokens.take("*")) {
        CelNode b = unary();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x * y, (x, y) -> x * y);
      } else if (tokens.take("/")) {
        CelNode b = unary();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x / y, (x, y) -> x / y);
      } else if (tokens.take("%")) {
        CelNode b = unary();
        left = v -> CelValues.arithmetic(a.eval(v), b.eval(v), (x, y) -> x % y, (x, y) -> x % y);
      } else {
        return left;
      }
    }
  }

  private CelNode unary() {
    if (tokens.take("!")) {
      CelNode a = unary();
      return v -> !Boolean.TRUE.equals(a.eval(v));
    }
    if (tokens.take("-")) {
      CelNode a = unary();
      return v -> CelValues.arithmetic(0L, a.eval(v), (x, y) -> x - y, (x, y) -> x - y);
    }
    return member();
  }

  private CelNode member() {
    boolean fromSelf = tokens.peek().equals("self");
    StringBuilder path = new StringBuilder();
    CelNode here = primary();
    while (true) {
      CelNode base = here;
      if (tokens.take(".")) {
        boolean optional = tokens.take("?");
        String name = name();
        if (!optional && tokens.take("(")) {
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
      } else if (tokens.take("[")) {
        CelNode index = ternary();
        tokens.expect("]");
        fromSelf = false;
        here = v -> CelValues.element(base.eval(v), index.eval(v));
      } else {
        return here;
      }
    }
  }

  private String name() {
    return tokens
        .next()
        .replace("__dot__", ".")
        .replace("__dash__", "-")
        .replace("__slash__", "/")
        .replace("__underscores__", "__");
  }

  private CelNode call(CelNode base, String name) {
    if (List.of("all", "exists", "exists_one", "filter", "map").contains(name)) {
      String variable = tokens.next();
      tokens.expect(",");
      scope.push(variable);
      CelNode body = ternary();
      scope.pop();
      tokens.expect(")");
      return v -> macro(name, base.eval(v), variable, body, v);
    }
    if (!CelFunctions.isMethod(name)) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    String pattern = tokens.peek();
    if (name.equals("matches") && pattern.startsWith("\"")) {
      CelFunctions.pattern(pattern.substring(1));
    }
    List<CelNode> arguments = expressions(")");
    return v -> {
      List<@Nullable Object> values = new ArrayList<>();
      arguments.forEach(a -> values.add(a.eval(v)));
      return CelFunctions.method(name, base.eval(v), values);
    };
  }

  private List<CelNode> expressions(String end) {
    List<CelNode> all = new ArrayList<>();
    while (!tokens.take(end)) {
      all.add(ternary());
      tokens.take(",");
    }
    return all;
  }

  private static Object macro(
      String name,
      @Nullable Object base,
      String variable,
      CelNode body,
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

  private CelNode primary() {
    String token = tokens.next();
    if (token.startsWith("\"")) {
      return v -> token.substring(1);
    }
    if (Character.isDigit(token.charAt(0))) {
      Object number =
          token.contains(".") ? (Object) Double.valueOf(token) : (Object) Long.valueOf(token);
      return v -> number;
    }
    return switch (token) {
      case "(" -> {
        CelNode inner = ternary();
        tokens.expect(")");
        yield inner;
      }
      case "[" -> list();
      case "true" -> v -> true;
      case "false" -> v -> false;
      case "null" -> v -> null;
      default -> tokens.take("(") ? function(token) : variable(token);
    };
  }

  private CelNode list() {
    List<CelNode> items = expressions("]");
    return v -> {
      List<@Nullable Object> list = new ArrayList<>();
      items.forEach(i -> list.add(i.eval(v)));
      return list;
    };
  }

  private CelNode variable(String name) {
    if (!scope.contains(name) && !name.equals("optional")) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    return v -> v.get(name);
  }

  private CelNode function(String name) {
    boolean asksForPresence = name.equals("has");
    if (!asksForPresence && !CelFunctions.isFunction(name)) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    List<CelNode> arguments = expressions(")");
    if (arguments.isEmpty()) {
      throw new CelException("found no matching overload for '" + name + "' applied to '()'");
    }
    CelNode argument = arguments.getFirst();
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
}
