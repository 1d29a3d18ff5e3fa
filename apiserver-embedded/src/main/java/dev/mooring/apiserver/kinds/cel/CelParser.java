package dev.mooring.apiserver.kinds.cel;

import dev.mooring.apiserver.kinds.cel.CelRule.CelException;
import dev.mooring.apiserver.kinds.cel.CelRule.CelNode;
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
  private final List<String> getSelfPaths = new ArrayList<>();
  private final CelTypes getTypes = new CelTypes();
  private final Deque<String> scope = new ArrayDeque<>(List.of("self", "oldSelf"));

  CelParser(String rule) {
    tokens = new CelTokens(rule);
  }

  CelNode parseRule() {
    CelNode root = parseTernary();
    getTypes.addResult(tokens.getTokensBetween(0, tokens.getPosition()));
    if (!tokens.isOver()) {
      throw new CelException("Syntax error: extraneous input '" + tokens.peek() + "'");
    }
    return root;
  }

  CelTypes getTypes() {
    return getTypes;
  }

  List<String> getSelfPaths() {
    return getSelfPaths;
  }

  private CelNode parseTernary() {
    CelNode condition = parseOr();
    if (!tokens.take("?")) {
      return condition;
    }
    CelNode yes = parseTernary();
    tokens.expect(":");
    CelNode no = parseTernary();
    return v -> Boolean.TRUE.equals(condition.eval(v)) ? yes.eval(v) : no.eval(v);
  }

  private CelNode parseOr() {
    CelNode left = parseAnd();
    while (tokens.take("||")) {
      CelNode a = left;
      CelNode b = parseAnd();
      left = v -> evaluateLogic(a, b, v, true);
    }
    return left;
  }

  private CelNode parseAnd() {
    CelNode left = parseRelation();
    while (tokens.take("&&")) {
      CelNode a = left;
      CelNode b = parseRelation();
      left = v -> evaluateLogic(a, b, v, false);
    }
    return left;
  }

  // A deciding side suffices, even if evaluation of the other side fails.
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

  private CelNode parseRelation() {
    int from = tokens.getPosition();
    CelNode a = parseSum();
    int to = tokens.getPosition();
    for (String op : List.of("==", "!=", "<=", ">=", "<", ">", "in")) {
      if (tokens.take(op)) {
        CelNode b = parseSum();
        getTypes.addComparison(
            op,
            tokens.getTokensBetween(from, to),
            tokens.getTokensBetween(to + 1, tokens.getPosition()));
        return v -> CelValues.compare(op, a.eval(v), b.eval(v));
      }
    }
    return a;
  }

  private CelNode parseSum() {
    CelNode left = parseProduct();
    while (true) {
      CelNode a = left;
      if (tokens.take("+")) {
        CelNode b = parseProduct();
        left =
            v -> {
              Object x = a.eval(v);
              Object y = b.eval(v);
              return x instanceof String s
                  ? s + y
                  : CelValues.calculate(x, y, Long::sum, Double::sum);
            };
      } else if (tokens.take("-")) {
        CelNode b = parseProduct();
        left = v -> CelValues.calculate(a.eval(v), b.eval(v), (x, y) -> x - y, (x, y) -> x - y);
      } else {
        return left;
      }
    }
  }

  private CelNode parseProduct() {
    CelNode left = parseUnary();
    while (true) {
      CelNode a = left;
      if (tokens.take("*")) {
        CelNode b = parseUnary();
        left = v -> CelValues.calculate(a.eval(v), b.eval(v), (x, y) -> x * y, (x, y) -> x * y);
      } else if (tokens.take("/")) {
        CelNode b = parseUnary();
        left = v -> CelValues.calculate(a.eval(v), b.eval(v), (x, y) -> x / y, (x, y) -> x / y);
      } else if (tokens.take("%")) {
        CelNode b = parseUnary();
        left = v -> CelValues.calculate(a.eval(v), b.eval(v), (x, y) -> x % y, (x, y) -> x % y);
      } else {
        return left;
      }
    }
  }

  private CelNode parseUnary() {
    if (tokens.take("!")) {
      CelNode a = parseUnary();
      return v -> !Boolean.TRUE.equals(a.eval(v));
    }
    if (tokens.take("-")) {
      CelNode a = parseUnary();
      return v -> CelValues.calculate(0L, a.eval(v), (x, y) -> x - y, (x, y) -> x - y);
    }
    return parseMember();
  }

  private CelNode parseMember() {
    boolean fromSelf = tokens.peek().equals("self");
    StringBuilder path = new StringBuilder();
    CelNode here = parsePrimary();
    while (true) {
      CelNode base = here;
      if (tokens.take(".")) {
        boolean optional = tokens.take("?");
        String name = parseName();
        if (!optional && tokens.take("(")) {
          here = parseCall(base, name);
          fromSelf = false;
        } else {
          if (fromSelf) {
            path.append(path.isEmpty() ? "" : ".").append(name);
            getSelfPaths.add(path.toString());
          }
          here =
              optional
                  ? v -> CelValues.findField(base.eval(v), name)
                  : v -> CelValues.getField(base.eval(v), name);
        }
      } else if (tokens.take("[")) {
        CelNode index = parseTernary();
        tokens.expect("]");
        fromSelf = false;
        here = v -> CelValues.getElement(base.eval(v), index.eval(v));
      } else {
        return here;
      }
    }
  }

  private String parseName() {
    return tokens
        .next()
        .replace("__dot__", ".")
        .replace("__dash__", "-")
        .replace("__slash__", "/")
        .replace("__underscores__", "__");
  }

  private CelNode parseCall(CelNode base, String name) {
    if (List.of("all", "exists", "exists_one", "filter", "map").contains(name)) {
      String variable = tokens.next();
      tokens.expect(",");
      scope.push(variable);
      CelNode body = parseTernary();
      scope.pop();
      tokens.expect(")");
      return v -> evaluateMacro(name, base.eval(v), variable, body, v);
    }
    if (!CelFunctions.isMethod(name)) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    String pattern = tokens.peek();
    if (name.equals("matches") && pattern.startsWith("\"")) {
      CelFunctions.compilePattern(pattern.substring(1));
    }
    List<CelNode> arguments = parseExpressions(")");
    return v -> {
      List<@Nullable Object> values = new ArrayList<>();
      arguments.forEach(a -> values.add(a.eval(v)));
      return CelFunctions.callMethod(name, base.eval(v), values);
    };
  }

  private List<CelNode> parseExpressions(String end) {
    List<CelNode> all = new ArrayList<>();
    while (!tokens.take(end)) {
      all.add(parseTernary());
      tokens.take(",");
    }
    return all;
  }

  private static Object evaluateMacro(
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

  private CelNode parsePrimary() {
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
        CelNode inner = parseTernary();
        tokens.expect(")");
        yield inner;
      }
      case "[" -> parseList();
      case "true" -> v -> true;
      case "false" -> v -> false;
      case "null" -> v -> null;
      default -> tokens.take("(") ? parseFunction(token) : parseVariable(token);
    };
  }

  private CelNode parseList() {
    List<CelNode> items = parseExpressions("]");
    return v -> {
      List<@Nullable Object> list = new ArrayList<>();
      items.forEach(i -> list.add(i.eval(v)));
      return list;
    };
  }

  private CelNode parseVariable(String name) {
    if (!scope.contains(name) && !name.equals("optional")) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    return v -> v.get(name);
  }

  private CelNode parseFunction(String name) {
    boolean asksForPresence = name.equals("has");
    if (!asksForPresence && !CelFunctions.isFunction(name)) {
      throw new CelException(UNDECLARED.formatted(name));
    }
    List<CelNode> arguments = parseExpressions(")");
    if (arguments.isEmpty()) {
      throw new CelException("found no matching overload for '" + name + "' applied to '()'");
    }
    CelNode argument = arguments.getFirst();
    if (!asksForPresence) {
      return v -> CelFunctions.callFunction(name, argument.eval(v));
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
