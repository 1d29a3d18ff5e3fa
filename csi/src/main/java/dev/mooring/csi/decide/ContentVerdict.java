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

/**
 * Whether what a driver has of a snapshot, or of a group of them, may be destroyed, by what the
 * server says now.
 *
 * @param <C> the content
 */
public sealed interface ContentVerdict<C> {
  /** It may. The content as it is now. */
  record Confirmed<C>(C content) implements ContentVerdict<C> {}

  /** It may not: the content is another one by now, or something else is to be done for it. */
  record Changed<C>() implements ContentVerdict<C> {}

  /** There is no such content any more. */
  record Gone<C>() implements ContentVerdict<C> {}

  /**
   * It may not yet: another object uses the data.
   *
   * @param user the kind and name of that object
   */
  record InUse<C>(String user) implements ContentVerdict<C> {}

  /** What it rests on no cache may answer: ask, and decide again. */
  record Ask<C>(List<Question<?>> questions) implements ContentVerdict<C>, NeedsLive {
    public Ask {
      questions = List.copyOf(questions);
    }
  }

  /** The server gave no answer: it may not, and is asked again. */
  record CannotTell<C>(String why) implements ContentVerdict<C> {}

  /**
   * By what the server has now. Ids in comments are the rows of {@code docs/live-verdicts.md}, of a
   * snapshot and of a group.
   *
   * @param cached the content as it was when that was to be done
   * @param stillToBe whether it is to be done for the content as it is now
   * @param users the objects that may use the same data
   */
  static <C extends Resource> ContentVerdict<C> by(
      LiveFacts live, Kind<C> kind, C cached, Predicate<C> stillToBe, List<DataUser<?>> users) {
    Question.One<C> question = new Question.One<>(kind, cached.key());
    List<Question<?>> open = new ArrayList<>();
    users.stream().map(DataUser::question).forEach(open::add);
    open.add(question); // last: the write that follows names the version of this answer
    open.removeIf(live::has);
    if (!open.isEmpty()) {
      return new Ask<>(open);
    }
    return switch (live.of(question)) {
      case Fact.NotAsked<C> _ -> new Ask<>(List.of(question));
      case Fact.Absent<C> _ -> new Gone<>(); // H1, H5
      case Fact.Unknown<C>(String why) -> new CannotTell<>(why); // H2, H6
      case Fact.Present<C>(C now) ->
          now.meta().uid().equals(cached.meta().uid()) && stillToBe.test(now)
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
