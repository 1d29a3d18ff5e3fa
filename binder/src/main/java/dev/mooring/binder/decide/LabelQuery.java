package dev.mooring.binder.decide;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A label selector, prepared once so that every look at a volume costs what the volume's labels
 * cost, however many terms the selector's author wrote. Two queries are equal if they ask for the
 * same. Immutable.
 */
public final class LabelQuery {
  /** How many labels an index is asked for: more do not narrow a search down enough to pay. */
  private static final int TERMS = 4;

  /** How many values of one label an index is asked for. */
  private static final int VALUES = 8;

  /**
   * A label that must be there.
   *
   * @param key its name
   * @param values the values that it may have; none for any
   */
  public record Term(String key, List<String> values) {}

  private enum Demand {
    /** Only the allowed values. */
    ONE_OF,
    PRESENT,
    ABSENT
  }

  /** What is asked of one label, while it is read together from all terms. */
  private static final class Rule {
    private final Set<Demand> demands = EnumSet.noneOf(Demand.class);
    private final Set<String> allowed = new HashSet<>();
    private final Set<String> denied = new HashSet<>();

    boolean isPositive() {
      return demands.contains(Demand.PRESENT) || demands.contains(Demand.ONE_OF);
    }

    void allow(Collection<String> values) {
      if (demands.add(Demand.ONE_OF)) {
        allowed.addAll(values);
      } else {
        allowed.retainAll(new HashSet<>(values));
      }
    }

    boolean isImpossible() {
      return demands.contains(Demand.ABSENT) && isPositive()
          || demands.contains(Demand.ONE_OF) && denied.containsAll(allowed);
    }

    boolean admits(String value) {
      return !demands.contains(Demand.ABSENT)
          && !denied.contains(value)
          && (!demands.contains(Demand.ONE_OF) || allowed.contains(value));
    }
  }

  private final Map<String, Rule> rules;
  private final List<Term> terms;
  private final int positive;
  private final boolean possible;
  private final String digest;

  private LabelQuery(TreeMap<String, Rule> rules, boolean possible) {
    this.rules = new HashMap<>(rules);
    this.terms = terms(rules);
    this.positive = (int) rules.values().stream().filter(Rule::isPositive).count();
    this.possible = possible && rules.values().stream().noneMatch(Rule::isImpossible);
    this.digest = this.possible ? digest(rules) : "";
  }

  /** The query of a selector. Takes as long as the selector is large. */
  public static LabelQuery of(LabelSelector selector) {
    TreeMap<String, Rule> rules = new TreeMap<>();
    selector.matchLabels().forEach((key, value) -> rule(rules, key).allow(List.of(value)));
    boolean possible = true;
    for (Requirement requirement : selector.matchExpressions()) {
      Rule rule = rule(rules, requirement.key());
      switch (requirement.operator()) {
        case "In" -> rule.allow(requirement.values());
        case "NotIn" -> rule.denied.addAll(requirement.values());
        case "Exists" -> rule.demands.add(Demand.PRESENT);
        case "DoesNotExist" -> rule.demands.add(Demand.ABSENT);
        default -> possible = false;
      }
    }
    return new LabelQuery(rules, possible);
  }

  private static Rule rule(Map<String, Rule> rules, String key) {
    return rules.computeIfAbsent(key, k -> new Rule());
  }

  private static List<Term> terms(TreeMap<String, Rule> rules) {
    List<Term> terms = new ArrayList<>();
    for (Map.Entry<String, Rule> entry : rules.entrySet()) {
      Rule rule = entry.getValue();
      if (rule.isPositive() && terms.size() < TERMS) {
        boolean few = rule.demands.contains(Demand.ONE_OF) && rule.allowed.size() <= VALUES;
        List<String> values = few ? rule.allowed.stream().sorted().toList() : List.of();
        terms.add(new Term(entry.getKey(), values));
      }
    }
    return List.copyOf(terms);
  }

  private static String digest(TreeMap<String, Rule> rules) {
    StringBuilder sum = new StringBuilder();
    rules.forEach((key, rule) -> {
      text(sum, key);
      sum.append(rule.demands);
      texts(sum, rule.allowed);
      texts(sum, rule.denied);
    });
    return sum.toString();
  }

  private static void texts(StringBuilder sum, Set<String> values) {
    text(sum, Integer.toString(values.size()));
    new TreeSet<>(values).forEach(value -> text(sum, value));
  }

  private static void text(StringBuilder sum, String text) {
    sum.append(text.length()).append(':').append(text);
  }

  /** Whether labels can be thought of that it holds for. */
  public boolean isPossible() {
    return possible;
  }

  /**
   * Labels that must be there, for an index to look up: the first few if there are many. None if
   * the query only says what must not be.
   */
  public List<Term> terms() {
    return terms;
  }

  /** Whether it holds for the labels. */
  public boolean matches(Map<String, String> labels) {
    if (!possible || positive > labels.size()) {
      return false;
    }
    int found = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      Rule rule = rules.get(label.getKey());
      if (rule != null) {
        if (!rule.admits(label.getValue())) {
          return false;
        }
        found += rule.isPositive() ? 1 : 0;
      }
    }
    return found == positive;
  }

  /** The same for equal queries, and for no others. */
  String digest() {
    return digest;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LabelQuery query && digest.equals(query.digest);
  }

  @Override
  public int hashCode() {
    return digest.hashCode();
  }
}
