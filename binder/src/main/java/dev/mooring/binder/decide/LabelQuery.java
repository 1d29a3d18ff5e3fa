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
  private static final int TERMS = 4;

  private static final int VALUES = 8;

  // number of labels that are compared in about the time of one match without labels
  private static final int LABELS_PER_STEP = 4;

  public record RequiredLabel(String key, List<String> values) {}

  private static final class RuleBuilder {
    private final Set<String> denied = new TreeSet<>();
    private final List<Set<String>> allowed = new ArrayList<>();
    private final Set<String> operators = new HashSet<>();

    LabelRule rule() {
      boolean oneOf = !allowed.isEmpty();
      Set<String> values = oneOf ? new TreeSet<>(allowed.getFirst()) : Set.of();
      allowed.forEach(values::retainAll);
      return new LabelRule(
          operators.contains("DoesNotExist"),
          oneOf || operators.contains("Exists"),
          oneOf,
          List.copyOf(values),
          List.copyOf(denied));
    }
  }

  /**
   * Requirements on one label. The lists are sorted and minimal, because a user controls how many
   * are kept.
   *
   * @param oneOf whether the value must be one of {@code allowed}
   */
  private record LabelRule(
      boolean absent, boolean present, boolean oneOf, List<String> allowed, List<String> denied)
      implements Comparable<LabelRule> {
    private static final Comparator<List<String>> IN_ORDER = LabelQuery::compare;
    private static final Comparator<LabelRule> ORDER =
        Comparator.comparing(LabelRule::absent)
            .thenComparing(LabelRule::present)
            .thenComparing(LabelRule::oneOf)
            .thenComparing(LabelRule::allowed, IN_ORDER)
            .thenComparing(LabelRule::denied, IN_ORDER);

    boolean isImpossible() {
      return absent && present || oneOf && allowed.stream().allMatch(v -> has(denied, v));
    }

    boolean admits(String value) {
      return !absent && !has(denied, value) && (!oneOf || has(allowed, value));
    }

    private static boolean has(List<String> sorted, String value) {
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
  private final int positive;
  private final boolean possible;
  private final int hash;

  private LabelQuery(Map<String, LabelRule> rules, boolean possible) {
    this.possible = possible && rules.values().stream().noneMatch(LabelRule::isImpossible);
    this.keys = this.possible ? List.copyOf(rules.keySet()) : List.of();
    this.rules = this.possible ? List.copyOf(rules.values()) : List.of();
    this.terms = this.possible ? terms(rules) : List.of();
    this.positive = (int) this.rules.stream().filter(LabelRule::present).count();
    this.hash = Objects.hash(this.possible, keys, this.rules);
  }

  public static LabelQuery of(LabelSelector selector) {
    TreeMap<String, RuleBuilder> drafts = new TreeMap<>();
    selector.matchLabels().forEach((key, value) -> draft(drafts, key).allowed.add(Set.of(value)));
    boolean possible = true;
    for (Requirement requirement : selector.matchExpressions()) {
      RuleBuilder draft = draft(drafts, requirement.key());
      switch (requirement.operator()) {
        case "In" -> draft.allowed.add(new HashSet<>(requirement.values()));
        case "NotIn" -> draft.denied.addAll(requirement.values());
        case "Exists", "DoesNotExist" -> draft.operators.add(requirement.operator());
        default -> possible = false;
      }
    }
    Map<String, LabelRule> rules = new LinkedHashMap<>();
    drafts.forEach((key, draft) -> rules.put(key, draft.rule()));
    return new LabelQuery(rules, possible);
  }

  private static RuleBuilder draft(Map<String, RuleBuilder> drafts, String key) {
    return drafts.computeIfAbsent(key, k -> new RuleBuilder());
  }

  private static List<RequiredLabel> terms(Map<String, LabelRule> rules) {
    List<RequiredLabel> terms = new ArrayList<>();
    for (Map.Entry<String, LabelRule> entry : rules.entrySet()) {
      LabelRule rule = entry.getValue();
      if (rule.present() && terms.size() < TERMS) {
        boolean few = rule.oneOf() && rule.allowed().size() <= VALUES;
        terms.add(new RequiredLabel(entry.getKey(), few ? rule.allowed() : List.of()));
      }
    }
    return List.copyOf(terms);
  }

  private static <T extends Comparable<T>> int compare(List<T> some, List<T> others) {
    int order = Integer.compare(some.size(), others.size());
    for (int i = 0; i < some.size() && order == 0; i++) {
      order = some.get(i).compareTo(others.get(i));
    }
    return order;
  }

  public boolean isPossible() {
    return possible;
  }

  public List<RequiredLabel> terms() {
    return terms;
  }

  int steps(Map<String, String> labels) {
    return 1 + Math.min(rules.size(), labels.size()) / LABELS_PER_STEP;
  }

  /** Returns whether the labels match, in time linear in the smaller of the two sets. */
  public boolean matches(Map<String, String> labels) {
    int size = labels.size();
    if (!possible || positive > size) {
      return false;
    }
    return rules.size() * LABELS_PER_STEP < size ? haveAll(labels) : areAllAdmitted(labels);
  }

  private boolean haveAll(Map<String, String> labels) {
    for (int i = 0; i < keys.size(); i++) {
      String value = labels.get(keys.get(i));
      if (value == null ? rules.get(i).present() : !rules.get(i).admits(value)) {
        return false;
      }
    }
    return true;
  }

  private boolean areAllAdmitted(Map<String, String> labels) {
    int found = 0;
    for (Map.Entry<String, String> label : labels.entrySet()) {
      int at = Collections.binarySearch(keys, label.getKey());
      if (at >= 0) {
        if (!rules.get(at).admits(label.getValue())) {
          return false;
        }
        found += rules.get(at).present() ? 1 : 0;
      }
    }
    return found == positive;
  }

  @Override
  public int compareTo(LabelQuery other) {
    int order = Boolean.compare(possible, other.possible);
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
