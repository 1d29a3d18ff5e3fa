package dev.mooring.explain;

import dev.mooring.model.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Objects of one kind that wait for the same cause.
 *
 * @param members the most urgent first; at least one
 * @param hasOneMessage whether all members have the same message
 */
public record WaitingGroup(List<Explanation> members, boolean hasOneMessage) {
  /** Kind and code, and the deepest cause with its object. */
  private record CauseKey(Kind<?> kind, String code, String deepest) {
    static CauseKey of(Explanation e) {
      return new CauseKey(e.subject().kind(), e.cause().code(), deepestText(e));
    }
  }

  /**
   * Groups explanations. Members with equal messages form a group, for example claims of one class
   * that does not exist. Members of one code with different messages form another group. Among
   * groups of equal rank, the group with the most members is the first.
   *
   * @param explanations the most urgent first
   */
  public static List<WaitingGroup> of(List<Explanation> explanations) {
    Map<CauseKey, Map<String, List<Explanation>>> byCause = new LinkedHashMap<>();
    Map<Explanation, Integer> order = new IdentityHashMap<>();
    for (Explanation e : explanations) {
      byCause
          .computeIfAbsent(CauseKey.of(e), key -> new LinkedHashMap<>())
          .computeIfAbsent(e.message(), message -> new ArrayList<>())
          .add(e);
      order.putIfAbsent(e, order.size());
    }
    return byCause.values().stream()
        .flatMap(WaitingGroup::ofCause)
        .sorted(
            Comparator.comparing((WaitingGroup group) -> group.first().cause().rank())
                .thenComparingInt(group -> -group.members().size())
                .thenComparingInt(group -> order.getOrDefault(group.first(), 0)))
        .toList();
  }

  private static Stream<WaitingGroup> ofCause(Map<String, List<Explanation>> byMessage) {
    List<Explanation> singles = new ArrayList<>();
    List<WaitingGroup> groups = new ArrayList<>();
    byMessage.forEach((message, members) -> {
      if (members.size() == 1) {
        singles.addAll(members);
      } else {
        groups.add(new WaitingGroup(members, true));
      }
    });
    if (!singles.isEmpty()) {
      groups.add(new WaitingGroup(singles, singles.size() == 1));
    }
    return groups.stream();
  }

  private static String deepestText(Explanation e) {
    Explanation deepest = e.deepest();
    return deepest == e ? "" : deepest.cause().code() + deepest.subject();
  }

  public Explanation first() {
    return members.getFirst();
  }

  /** Returns the start of the oldest member's state in seconds since the epoch; 0 if unknown. */
  public long oldest() {
    return members.stream().mapToLong(Explanation::stateSince).filter(t -> t > 0).min().orElse(0);
  }

  /**
   * Returns a token that selects the group in a later grouping: hexadecimal, and the same as long
   * as the cause and its message are the same.
   */
  public String token() {
    Explanation first = first();
    String text =
        String.join(
            "\n",
            first.subject().kind().kind(),
            first.cause().code(),
            deepestText(first),
            hasOneMessage && members.size() > 1 ? first.message() : "");
    return Integer.toHexString(text.hashCode());
  }
}
