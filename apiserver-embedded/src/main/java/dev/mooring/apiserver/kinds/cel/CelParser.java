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
  private static final String UNDECLARED_REFERENCE =
      "undeclared reference to '%s' (in container '')";

  private final CelTokens tokens;
  private final List<String> selfPaths = new ArrayList<>();
  private final CelTypes types = new CelTypes();
  private final Deque<String> scope;

  CelParser(String rule) {
    this(rule, List.of("self", "oldSelf"));
  }

  CelParser(String expression, List<String> variables) {
    tokens = new CelTokens(expression);
    scope = new ArrayDeque<>(variables);
  }

  CelNode parseRule() {
    CelNode root = parseTernary();
    types.setResultTokens(tokens.getTokensBetween(0, tokens.getPosition()));
    if (!tokens.isAtEnd()) {
      throw new CelException("Syntax error: extraneous input '" + tokens.peek() + "'");
    }
    return root;
  }

  CelTypes getTypes() {
    return types;
  }

  List<String> getSelfPaths() {
    return selfPaths;
  }

  private CelNode parseTernary() {
    CelNode condition = parseOr();
    if (!tokens.consumeIfNext("?")) {
      return condition;
    }
    CelNode thenNode = parseTernary();
    tokens.expect(":");
    CelNode elseNode = parseTernary();
    return v ->
        Boolean.TRUE.equals(condition.evaluate(v)) ? thenNode.evaluate(v) : elseNode.evaluate(v);
  }

  private CelNode parseOr() {
    CelNode node = parseAnd();
    while (tokens.consumeIfNext("||")) {
      CelNode left = node;
      CelNode right = parseAnd();
      node = v -> evaluateLogic(left, right, v, true);
    }
    return node;
  }

  private CelNode parseAnd() {
    CelNode node = parseRelation();
    while (tokens.consumeIfNext("&&")) {
      CelNode left = node;
      CelNode right = parseRelation();
      node = v -> evaluateLogic(left, right, v, false);
    }
    return node;
  }

  // A deciding side suffices, even if evaluation of the other side fails.
  private static boolean evaluateLogic(
      CelNode left, CelNode right, Map<String, @Nullable Object> variables, boolean decisiveValue) {
    try {
      if (Boolean.TRUE.equals(left.evaluate(variables)) == decisiveValue) {
        return decisiveValue;
      }
    } catch (CelException leftFailure) {
      if (Boolean.TRUE.equals(right.evaluate(variables)) == decisiveValue) {
        return decisiveValue;
      }
      throw leftFailure;
    }
    return Boolean.TRUE.equals(right.evaluate(variables));
  }

  private CelNode parseRelation() {
    int leftStart = tokens.getPosition();
    CelNode left = parseSum();
    int leftEnd = tokens.getPosition();
    for (String operator : List.of("==", "!=", "<=", ">=", "<", ">", "in")) {
      if (tokens.consumeIfNext(operator)) {
        CelNode right = parseSum();
        types.addComparison(
            operator,
            tokens.getTokensBetween(leftStart, leftEnd),
            tokens.getTokensBetween(leftEnd + 1, tokens.getPosition()));
        return v -> CelValues.evaluateRelation(operator, left.evaluate(v), right.evaluate(v));
      }
    }
    return left;
  }

  private CelNode parseSum() {
    CelNode node = parseProduct();
    while (true) {
      CelNode left = node;
      if (tokens.consumeIfNext("+")) {
        CelNode right = parseProduct();
        node =
            v -> {
              Object x = left.evaluate(v);
              Object y = right.evaluate(v);
              return x instanceof String s
                  ? s + y
                  : CelValues.calculate(x, y, Long::sum, Double::sum);
            };
      } else if (tokens.consumeIfNext("-")) {
        CelNode right = parseProduct();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), (x, y) -> x - y, (x, y) -> x - y);
      } else {
        return node;
      }
    }
  }

  private CelNode parseProduct() {
    CelNode node = parseUnary();
    while (true) {
      CelNode left = node;
      if (tokens.consumeIfNext("*")) {
        CelNode right = parseUnary();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), (x, y) -> x * y, (x, y) -> x * y);
      } else if (tokens.consumeIfNext("/")) {
        CelNode right = parseUnary();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), (x, y) -> x / y, (x, y) -> x / y);
      } else if (tokens.consumeIfNext("%")) {
        CelNode right = parseUnary();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), (x, y) -> x % y, (x, y) -> x % y);
      } else {
        return node;
      }
    }
  }

  private CelNode parseUnary() {
    if (tokens.consumeIfNext("!")) {
      CelNode operand = parseUnary();
      return v -> !Boolean.TRUE.equals(operand.evaluate(v));
    }
    if (tokens.consumeIfNext("-")) {
      CelNode operand = parseUnary();
      return v -> CelValues.calculate(0L, operand.evaluate(v), (x, y) -> x - y, (x, y) -> x - y);
    }
    return parseMember();
  }

  private CelNode parseMember() {
    boolean isSelfPath = tokens.peek().equals("self");
    StringBuilder path = new StringBuilder();
    CelNode node = parsePrimary();
    while (true) {
      CelNode base = node;
      if (tokens.consumeIfNext(".")) {
        boolean isOptional = tokens.consumeIfNext("?");
        String name = parseName();
        if (!isOptional && tokens.consumeIfNext("(")) {
          node = parseCall(base, name);
          isSelfPath = false;
        } else {
          if (isSelfPath) {
            path.append(path.isEmpty() ? "" : ".").append(name);
            selfPaths.add(path.toString());
          }
          node =
              isOptional
                  ? v -> CelValues.findField(base.evaluate(v), name)
                  : v -> CelValues.getField(base.evaluate(v), name);
        }
      } else if (tokens.consumeIfNext("[")) {
        CelNode index = parseTernary();
        tokens.expect("]");
        isSelfPath = false;
        node = v -> CelValues.getElement(base.evaluate(v), index.evaluate(v));
      } else {
        return node;
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
      return v -> evaluateMacro(name, base.evaluate(v), variable, body, v);
    }
    if (!CelFunctions.isMethod(name)) {
      throw new CelException(UNDECLARED_REFERENCE.formatted(name));
    }
    String pattern = tokens.peek();
    if (name.equals("matches") && pattern.startsWith("\"")) {
      CelFunctions.compilePattern(pattern.substring(1));
    }
    List<CelNode> arguments = parseExpressions(")");
    return v -> {
      List<@Nullable Object> values = new ArrayList<>();
      arguments.forEach(a -> values.add(a.evaluate(v)));
      return CelFunctions.callMethod(name, base.evaluate(v), values);
    };
  }

  private List<CelNode> parseExpressions(String closingToken) {
    List<CelNode> expressions = new ArrayList<>();
    while (!tokens.consumeIfNext(closingToken)) {
      expressions.add(parseTernary());
      tokens.consumeIfNext(",");
    }
    return expressions;
  }

  private static Object evaluateMacro(
      String name,
      @Nullable Object base,
      String variable,
      CelNode body,
      Map<String, @Nullable Object> variables) {
    List<@Nullable Object> items = new ArrayList<>();
    if (base instanceof List<?> list) {
      items.addAll(list);
    } else if (base instanceof Map<?, ?> map) {
      items.addAll(map.keySet());
    }
    List<@Nullable Object> results = new ArrayList<>();
    List<@Nullable Object> matchingItems = new ArrayList<>();
    for (Object item : items) {
      Map<String, @Nullable Object> itemVariables = new HashMap<>(variables);
      itemVariables.put(variable, item);
      Object result = body.evaluate(itemVariables);
      results.add(result);
      if (Boolean.TRUE.equals(result)) {
        matchingItems.add(item);
      }
    }
    return switch (name) {
      case "all" -> matchingItems.size() == items.size();
      case "exists" -> !matchingItems.isEmpty();
      case "exists_one" -> matchingItems.size() == 1;
      case "filter" -> matchingItems;
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
        CelNode expression = parseTernary();
        tokens.expect(")");
        yield expression;
      }
      case "[" -> parseList();
      case "true" -> v -> true;
      case "false" -> v -> false;
      case "null" -> v -> null;
      default -> tokens.consumeIfNext("(") ? parseFunction(token) : parseVariable(token);
    };
  }

  private CelNode parseList() {
    List<CelNode> items = parseExpressions("]");
    return v -> {
      List<@Nullable Object> list = new ArrayList<>();
      items.forEach(i -> list.add(i.evaluate(v)));
      return list;
    };
  }

  private CelNode parseVariable(String name) {
    if (!scope.contains(name) && !name.equals("optional")) {
      throw new CelException(UNDECLARED_REFERENCE.formatted(name));
    }
    return v -> v.get(name);
  }

  private CelNode parseFunction(String name) {
    boolean isPresenceTest = name.equals("has");
    if (!isPresenceTest && !CelFunctions.isFunction(name)) {
      throw new CelException(UNDECLARED_REFERENCE.formatted(name));
    }
    List<CelNode> arguments = parseExpressions(")");
    if (arguments.isEmpty()) {
      throw new CelException("found no matching overload for '" + name + "' applied to '()'");
    }
    CelNode argument = arguments.getFirst();
    if (!isPresenceTest) {
      return v -> CelFunctions.callFunction(name, argument.evaluate(v));
    }
    return v -> {
      try {
        argument.evaluate(v);
        return true;
      } catch (CelException absent) {
        return false;
      }
    };
  }
}
