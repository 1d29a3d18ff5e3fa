package dev.mooring.csi.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Decides, from live reads, whether a driver's snapshot or group snapshot may be deleted. */
public sealed interface ContentVerdict<C> {
  record Confirmed<C>(C content) implements ContentVerdict<C> {}

  // Deletion is obsolete: another object has the name, or the next step differs.
  record Changed<C>() implements ContentVerdict<C> {}

  record Gone<C>() implements ContentVerdict<C> {}

  record InUse<C>(String user) implements ContentVerdict<C> {}

  // A live read is needed; decide again with the answers.
  record Ask<C>(List<Question<?>> questions) implements ContentVerdict<C>, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  // The API server did not answer; deletion must wait.
  record CannotTell<C>(String why) implements ContentVerdict<C> {}

  /**
   * Decides from live facts. Ids in comments are rows of {@code docs/dev/live-verdicts.md}; the
   * first of a pair is for snapshots, the second for groups.
   *
   * @param isStillDue tests whether the live content still calls for the deletion
   * @param users objects that may use the same data
   */
  static <C extends Resource> ContentVerdict<C> by(
      LiveFacts live, Kind<C> kind, C cached, Predicate<C> isStillDue, List<DataUser<?>> users) {
    Question.One<C> question = new Question.One<>(kind, cached.key());
    List<Question<?>> open = new ArrayList<>();
    users.stream().map(DataUser::question).forEach(open::add);
    open.add(question); // read last: the following write names the resourceVersion of this answer
    open.removeIf(live::has);
    if (!open.isEmpty()) {
      return new Ask<>(open);
    }
    return switch (live.of(question)) {
      case Fact.NotAsked<C> _ -> new Ask<>(List.of(question));
      case Fact.Absent<C> _ -> new Gone<>(); // H1, H5
      case Fact.Unknown<C>(String why) -> new CannotTell<>(why); // H2, H6
      case Fact.Present<C>(C now) ->
          now.meta().uid().equals(cached.meta().uid()) && isStillDue.test(now)
              ? byUsers(live, now, users)
              : new Changed<>(); // H4, H8
    };
  }

  private static <C> ContentVerdict<C> byUsers(LiveFacts live, C now, List<DataUser<?>> users) {
    for (DataUser<?> user : users) {
      Optional<ContentVerdict<C>> spared = byUser(live, user);
      if (spared.isPresent()) {
        return spared.get();
      }
    }
    return new Confirmed<>(now); // H3, H7
  }

  private static <C, T extends Resource> Optional<ContentVerdict<C>> byUser(
      LiveFacts live, DataUser<T> user) {
    return switch (live.of(user.question())) {
      case Fact.Absent<T> _ -> Optional.empty();
      case Fact.Present<T>(T now) ->
          user.uses().test(now)
              ? Optional.of(new InUse<>(user.name())) // H9, H10
              : Optional.empty();
      case Fact.Unknown<T>(String why) -> Optional.of(new CannotTell<>(why)); // H11
      case Fact.NotAsked<T> _ -> Optional.of(new Ask<>(List.of(user.question())));
    };
  }
}
