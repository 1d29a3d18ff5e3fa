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

  // the limit of cel-go for nested expressions and chains of operators
  private static final int MAX_DEPTH = 250;

  private final CelTokens tokens;
  private final List<String> selfPaths = new ArrayList<>();
  private final CelTypes types = new CelTypes();
  private final Deque<String> scope;
  private int depth;

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
    checkDepth(++depth);
    CelNode condition = parseOr();
    if (tokens.consumeIfNext("?")) {
      CelNode test = condition;
      CelNode thenNode = parseTernary();
      tokens.expect(":");
      CelNode elseNode = parseTernary();
      condition =
          v -> Boolean.TRUE.equals(test.evaluate(v)) ? thenNode.evaluate(v) : elseNode.evaluate(v);
    }
    depth--;
    return condition;
  }

  private static void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw new CelException("expression recursion limit exceeded: " + MAX_DEPTH);
    }
  }

  private CelNode parseOr() {
    List<CelNode> operands = new ArrayList<>();
    do {
      operands.add(parseAnd());
    } while (tokens.consumeIfNext("||"));
    return operands.size() == 1 ? operands.getFirst() : v -> evaluateLogic(operands, v, true);
  }

  private CelNode parseAnd() {
    List<CelNode> operands = new ArrayList<>();
    do {
      operands.add(parseRelation());
    } while (tokens.consumeIfNext("&&"));
    return operands.size() == 1 ? operands.getFirst() : v -> evaluateLogic(operands, v, false);
  }

  // A deciding operand suffices, even if evaluation of another one fails.
  private static boolean evaluateLogic(
      List<CelNode> operands, Map<String, @Nullable Object> variables, boolean decisiveValue) {
    CelException firstFailure = null;
    for (CelNode operand : operands) {
      try {
        if (Boolean.TRUE.equals(operand.evaluate(variables)) == decisiveValue) {
          return decisiveValue;
        }
      } catch (CelException e) {
        firstFailure = firstFailure == null ? e : firstFailure;
      }
    }
    if (firstFailure != null) {
      throw firstFailure;
    }
    return !decisiveValue;
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
    for (int length = 1; true; length++) {
      checkDepth(length);
      CelNode left = node;
      if (tokens.consumeIfNext("+")) {
        CelNode right = parseProduct();
        node =
            v -> {
              Object x = left.evaluate(v);
              Object y = right.evaluate(v);
              return x instanceof String s
                  ? s + y
                  : CelValues.calculate(x, y, Math::addExact, Double::sum);
            };
      } else if (tokens.consumeIfNext("-")) {
        CelNode right = parseProduct();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), Math::subtractExact, (x, y) -> x - y);
      } else {
        return node;
      }
    }
  }

  private CelNode parseProduct() {
    CelNode node = parseUnary();
    for (int length = 1; true; length++) {
      checkDepth(length);
      CelNode left = node;
      if (tokens.consumeIfNext("*")) {
        CelNode right = parseUnary();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), Math::multiplyExact, (x, y) -> x * y);
      } else if (tokens.consumeIfNext("/")) {
        CelNode right = parseUnary();
        node =
            v ->
                CelValues.calculate(
                    left.evaluate(v), right.evaluate(v), Math::divideExact, (x, y) -> x / y);
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
    checkDepth(++depth);
    CelNode node;
    if (tokens.consumeIfNext("!")) {
      CelNode operand = parseUnary();
      node = v -> !Boolean.TRUE.equals(operand.evaluate(v));
    } else if (tokens.consumeIfNext("-")) {
      node = startsNumber(tokens.peek()) ? parseNumber("-" + tokens.next()) : negate(parseUnary());
    } else {
      node = parseMember();
    }
    depth--;
    return node;
  }

  private static CelNode negate(CelNode operand) {
    return v -> CelValues.calculate(0L, operand.evaluate(v), Math::subtractExact, (x, y) -> x - y);
  }

  private static boolean startsNumber(String token) {
    return !token.isEmpty() && Character.isDigit(token.charAt(0));
  }

  private static CelNode parseNumber(String text) {
    if (text.contains(".")) {
      Double number = Double.valueOf(text);
      return v -> number;
    }
    try {
      Long number = Long.valueOf(text);
      return v -> number;
    } catch (NumberFormatException e) {
      throw new CelException("invalid int literal");
    }
  }

  private CelNode parseMember() {
    boolean isSelfPath = tokens.peek().equals("self");
    StringBuilder path = new StringBuilder();
    CelNode node = parsePrimary();
    for (int length = 1; true; length++) {
      checkDepth(length);
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
    if (startsNumber(token)) {
      return parseNumber(token);
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
