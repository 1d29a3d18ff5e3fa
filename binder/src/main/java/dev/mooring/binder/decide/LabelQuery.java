package dev.mooring.binder.decide;

import dev.mooring.model.LabelSelector;
import dev.mooring.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Label selector, prepared so that a match costs only as much as the volume's labels, however many
 * terms the selector has. Queries that ask for the same are equal. Comparable, so that hash maps
 * stay fast if a user chooses labels with colliding hashes. Immutable.
 */
public final class LabelQuery implements Comparable<LabelQuery> {
  // maximum number of labels to look up in an index; more labels hardly narrow the search
  private static final int MAX_TERMS = 4;

  private static final int MAX_VALUES = 8;

  // number of labels that are compared in about the time of one match without labels
  private static final int LABELS_PER_STEP = 4;

  public record RequiredLabel(String key, List<String> values) {}

  private static final class RuleBuilder {
    private final Set<String> denied = new TreeSet<>();
    private final List<Set<String>> allowed = new ArrayList<>();
    private final Set<String> operators = new HashSet<>();

    LabelRule build() {
      boolean hasAllowedValues = !allowed.isEmpty();
      Set<String> values = hasAllowedValues ? new TreeSet<>(allowed.getFirst()) : Set.of();
      allowed.forEach(values::retainAll);
      return new LabelRule(
          operators.contains("DoesNotExist"),
          hasAllowedValues || operators.contains("Exists"),
          hasAllowedValues,
          List.copyOf(values),
          List.copyOf(denied));
    }
  }

  /**
   * Requirements on one label. The lists are sorted and minimal, because a user controls how many
   * are kept.
   *
   * @param hasAllowedValues whether the value must be one of {@code allowed}
   */
  private record LabelRule(
      boolean mustBeAbsent,
      boolean mustBePresent,
      boolean hasAllowedValues,
      List<String> allowed,
      List<String> denied)
      implements Comparable<LabelRule> {
    private static final Comparator<List<String>> VALUE_ORDER = LabelQuery::compare;
    private static final Comparator<LabelRule> ORDER =
        Comparator.comparing(LabelRule::mustBeAbsent)
            .thenComparing(LabelRule::mustBePresent)
            .thenComparing(LabelRule::hasAllowedValues)
            .thenComparing(LabelRule::allowed, VALUE_ORDER)
            .thenComparing(LabelRule::denied, VALUE_ORDER);

    boolean isImpossible() {
      return mustBeAbsent && mustBePresent
          || hasAllowedValues && allowed.stream().allMatch(v -> contains(denied, v));
    }

    boolean admits(String value) {
      return !mustBeAbsent
          && !contains(denied, value)
          && (!hasAllowedValues || contains(allowed, value));
    }

    private static boolean contains(List<String> sorted, String value) {
      return Collections.binarySearch(sorted, value) >= 0;
    }

    @Override
    public int compareTo(LabelRule other) {
      return ORDER.compare(this, other);
    }
  }

  private final List<String> keys;
  private final List<LabelRule> rules;
  private final List<RequiredLabel> terms;
  private final int requiredCount;
  private final boolean isPossible;
  private final int hash;

  private LabelQuery(Map<String, LabelRule> rules, boolean isPossible) {
    this.isPossible = isPossible && rules.values().stream().noneMatch(LabelRule::isImpossible);
    this.keys = this.isPossible ? List.copyOf(rules.keySet()) : List.of();
    this.rules = this.isPossible ? List.copyOf(rules.values()) : List.of();
    this.terms = this.isPossible ? terms(rules) : List.of();
    this.requiredCount = (int) this.rules.stream().filter(LabelRule::mustBePresent).count();
    this.hash = Objects.hash(this.isPossible, keys, this.rules);
  }

  public static LabelQuery of(LabelSelector selector) {
    TreeMap<String, RuleBuilder> builders = new TreeMap<>();
    selector
        .matchLabels()
        .forEach((key, value) -> ruleBuilder(builders, key).allowed.add(Set.of(value)));
    boolean isPossible = true;
    for (Requirement requirement : selector.matchExpressions()) {
      RuleBuilder builder = ruleBuilder(builders, requirement.key());
      switch (requirement.operator()) {
        case "In" -> builder.allowed.add(new HashSet<>(requirement.values()));
        case "NotIn" -> builder.denied.addAll(requirement.values());
        case "Exists", "DoesNotExist" -> builder.operators.add(requirement.operator());
        default -> isPossible = false;
      }
    }
    Map<String, LabelRule> rules = new LinkedHashMap<>();
    builders.forEach((key, builder) -> rules.put(key, builder.build()));
    return new LabelQuery(rules, isPossible);
  }

  private static RuleBuilder ruleBuilder(Map<String, RuleBuilder> builders, String key) {
    return builders.computeIfAbsent(key, k -> new RuleBuilder());
  }

  private static List<RequiredLabel> terms(Map<String, LabelRule> rules) {
    List<RequiredLabel> terms = new ArrayList<>();
    for (Map.Entry<String, LabelRule> entry : rules.entrySet()) {
      LabelRule rule = entry.getValue();
      if (rule.mustBePresent() && terms.size() < MAX_TERMS) {
        boolean isShort = rule.hasAllowedValues() && rule.allowed().size() <= MAX_VALUES;
        terms.add(new RequiredLabel(entry.getKey(), isShort ? rule.allowed() : List.of()));
      }
    }
    return List.copyOf(terms);
  }

  private static <T extends Comparable<T>> int compare(List<T> left, List<T> right) {
    int order = Integer.compare(left.size(), right.size());
    for (int i = 0; i < left.size() && order == 0; i++) {
      order = left.get(i).compareTo(right.get(i));
    }
    return order;
  }

  public boolean isPossible() {
    return isPossible;
  }

  public List<RequiredLabel> terms() {
    return terms;
  }

  int stepsFor(Map<String, String> labels) {
    return 1 + Math.min(rules.size(), labels.size()) / LABELS_PER_STEP;
  }

  /** Returns whether the labels match, in time linear in the smaller of the two sets. */
  public boolean matches(Map<String, String> labels) {
    int size = labels.size();
    if (!isPossible || requiredCount > size) {
      return false;
    }
    return rules.size() * LABELS_PER_STEP < size
        ? matchesAllRules(labels)
        : admitsAllLabels(labels);
  }

  private boolean matchesAllRules(Map<String, String> labels) {
    for (int i = 0; i < keys.size(); i++) {
      String value = labels.get(keys.get(i));
      if (value == null ? rules.get(i).mustBePresent() : !rules.get(i).admits(value)) {
        return false;
      }
    }
    return true;
  }

  private boolean admitsAllLabels(Map<String, String> labels) {
    int matched = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      int index = Collections.binarySearch(keys, label.getKey());
      if (index >= 0) {
        if (!rules.get(index).admits(label.getValue())) {
          return false;
        }
        matched += rules.get(index).mustBePresent() ? 1 : 0;
      }
    }
    return matched == requiredCount;
  }

  @Override
  public int compareTo(LabelQuery other) {
    int order = Boolean.compare(isPossible, other.isPossible);
    order = order != 0 ? order : compare(keys, other.keys);
    return order != 0 ? order : compare(rules, other.rules);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LabelQuery query && hash == query.hash && compareTo(query) == 0;
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
