package dev.mooring.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingGroupTest {
  private static Explanation waiting(String name, String message, long since) {
    return new Explanation(
        new SubjectRef(Kind.CLAIM, ObjectKey.of("ns", name)),
        "Pending",
        since,
        new Cause("ClassMissing", CauseRank.MISCONFIGURED, "the class does not exist", ""),
        message,
        NextStep.NOTHING,
        Evidence.NONE,
        List.of());
  }

  @Test
  void of_equalMessages_formGroupWithOldestMember() {
    List<WaitingGroup> groups =
        WaitingGroup.of(
            List.of(
                waiting("a", "gold not found", 30),
                waiting("b", "silver not found", 10),
                waiting("c", "gold not found", 20)));
    assertThat(groups)
        .extracting(group -> group.members().size(), WaitingGroup::oldest)
        .containsExactly(tuple(2, 20L), tuple(1, 10L));
  }

  @Test
  void of_groupsOfEqualRank_areSortedByNumberOfMembers() {
    List<WaitingGroup> groups =
        WaitingGroup.of(
            List.of(
                waiting("a", "gold not found", 30),
                waiting("b", "silver not found", 10),
                waiting("c", "silver not found", 20)));
    assertThat(groups)
        .extracting(group -> group.first().message())
        .containsExactly("silver not found", "gold not found");
  }

  @Test
  void token_furtherMember_isUnchanged() {
    Explanation first = waiting("a", "gold not found", 1);
    Explanation second = waiting("b", "gold not found", 2);
    String token = WaitingGroup.of(List.of(first, second)).getFirst().token();
    assertThat(
            WaitingGroup.of(List.of(waiting("c", "gold not found", 3), second)).getFirst().token())
        .isEqualTo(token)
        .matches("[0-9a-f]+");
    assertThat(
            WaitingGroup.of(
                    List.of(
                        waiting("a", "silver not found", 1), waiting("b", "silver not found", 1)))
                .getFirst()
                .token())
        .isNotEqualTo(token);
  }
}
