package dev.mooring.csi.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent.Ref;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides the next CSI call for a VolumeSnapshotContent or a VolumeGroupSnapshotContent. Ids in
 * comments are rows of {@code docs/dev/live-verdicts.md}; the first of a pair is for snapshots, the
 * second for groups.
 */
public final class ContentRules {
  private static final int PARTS = 4;
  private static final Duration LONGEST_POLL = Duration.ofMinutes(1);

  private ContentRules() {}

  public static ContentPlan plan(ContentView content, String driver) {
    boolean hasOneSource = content.volumes().isEmpty() != content.existing().isNone();
    if (!content.driver().equals(driver) || !hasOneSource) {
      return new ContentPlan.NoAction();
    }
    boolean creating = content.hasMark(content.kind().keys().beingCreated());
    boolean isRetained =
        content.policy() != ReclaimPolicy.DELETE; // the creation's outcome does not matter then
    if (content.meta().isBeingDeleted()
        && (!content.created().isNone() || !creating || isRetained)
        && isReleasedForDeletion(content)) {
      return deletion(content);
    }
    if (content.status().isReady()) {
      return creating ? new ContentPlan.ClearCreationMark() : new ContentPlan.NoAction();
    }
    if (content.volumes().isEmpty()) {
      return new ContentPlan.Query(content.existing());
    }
    return content.isOfGroup() ? member(content) : new ContentPlan.Create();
  }

  // Group members are created and deleted with their group, whose content supplies the handle.
  private static ContentPlan member(ContentView content) {
    return content.created().isNone()
        ? new ContentPlan.NoAction()
        : new ContentPlan.Query(content.created());
  }

  // Deletion needs the snapshot controller's mark, or a content that was never bound.
  private static boolean isReleasedForDeletion(ContentView content) {
    boolean unbound = !content.existing().isNone() && content.owner().uid().isNone();
    return unbound || content.hasMark(content.kind().keys().beingDeleted());
  }

  private static ContentPlan deletion(ContentView content) {
    ContentKind.MetadataKeys keys = content.kind().keys();
    boolean bound = content.hasMark(keys.beingDeleted()) && !content.owner().uid().isNone();
    if (content.policy() == ReclaimPolicy.DELETE
        && !content.created().isNone()
        && bound
        && !content.isOfGroup()) {
      return content.hasMark(keys.beingCreated())
          // the mark would start the creation again after the deletion
          ? new ContentPlan.ClearCreationMark()
          : new ContentPlan.Delete(content.created());
    }
    return content.meta().finalizers().contains(keys.protection())
        ? new ContentPlan.RemoveFinalizer()
        : new ContentPlan.NoAction();
  }

  /**
   * Decides whether the driver may delete the data.
   *
   * @param cached the content, for which {@link #plan} returned the deletion
   * @param twins other contents that may name the same data
   */
  public static Step<ContentVerdict> mayBeDeleted(
      ContentView cached, DataHandle handle, List<DataUser<?>> twins, LiveFacts live) {
    List<DataUser<?>> users = new ArrayList<>(twins);
    users.add(owner(cached.kind().owner(), cached.owner()));
    Question.One<?> question = new Question.One<>(cached.kind().content(), cached.key());
    List<Question<?>> open = new ArrayList<>();
    users.stream().map(DataUser::question).forEach(open::add);
    open.add(question); // read last: the following write names the resourceVersion of this answer
    open.removeIf(live::has);
    if (!open.isEmpty()) {
      return new Step.Ask<>(open);
    }
    return switch (liveContent(live, question)) {
      case Fact.NotAsked<ContentView> _ -> Step.ask(question);
      case Fact.Absent<ContentView> _ -> Step.decided(new ContentVerdict.Gone()); // H1, H5
      case Fact.Unknown<ContentView>(String why) ->
          Step.decided(new ContentVerdict.CannotTell(why)); // H2, H6
      case Fact.Present<ContentView>(ContentView now) ->
          isSameDeletion(cached, now, handle)
              ? byUsers(live, now, users)
              : Step.decided(new ContentVerdict.Changed()); // H4, H8
    };
  }

  private static <C extends Resource> Fact<ContentView> liveContent(
      LiveFacts live, Question.One<C> question) {
    return switch (live.of(question)) {
      case Fact.NotAsked<C> _ -> new Fact.NotAsked<>();
      case Fact.Absent<C> _ -> new Fact.Absent<>();
      case Fact.Unknown<C>(String why) -> new Fact.Unknown<>(why);
      case Fact.Present<C>(C now) -> new Fact.Present<>(ContentView.of(now));
    };
  }

  private static boolean isSameDeletion(ContentView cached, ContentView now, DataHandle handle) {
    return now.meta().uid().equals(cached.meta().uid())
        && plan(now, cached.driver()).equals(new ContentPlan.Delete(handle));
  }

  private static Step<ContentVerdict> byUsers(
      LiveFacts live, ContentView now, List<DataUser<?>> users) {
    for (DataUser<?> user : users) {
      Optional<Step<ContentVerdict>> spared = byUser(live, user);
      if (spared.isPresent()) {
        return spared.get();
      }
    }
    Set<String> judged = users.stream().map(DataUser::name).collect(Collectors.toSet());
    return Step.decided(new ContentVerdict.Confirmed(now, judged)); // H3, H7
  }

  private static <T extends Resource> Optional<Step<ContentVerdict>> byUser(
      LiveFacts live, DataUser<T> user) {
    return switch (live.of(user.question())) {
      case Fact.Absent<T> _ -> Optional.empty();
      case Fact.Present<T>(T now) ->
          user.uses().test(now)
              ? Optional.of(Step.decided(new ContentVerdict.InUse(user.name()))) // H9, H10
              : Optional.empty();
      case Fact.Unknown<T>(String why) ->
          Optional.of(Step.decided(new ContentVerdict.CannotTell(why))); // H11
      case Fact.NotAsked<T> _ -> Optional.of(Step.ask(user.question()));
    };
  }

  // The snapshot or group snapshot uses the data until it is being deleted.
  private static <O extends Resource> DataUser<O> owner(Kind<O> kind, Ref ref) {
    return new DataUser<>(
        new Question.One<>(kind, ref.key()),
        kind.kind() + " " + ref.key(),
        now -> now.meta().uid().equals(ref.uid()) && !now.meta().isBeingDeleted());
  }

  /**
   * Returns a content that names a snapshot or the group of the data. It is no user if it is due
   * for deletion itself, or a member of the group, because members are deleted with the group.
   */
  public static <C extends Resource> DataUser<C> twin(
      Kind<C> kind, ObjectKey key, DriverData data) {
    return new DataUser<>(
        new Question.One<>(kind, key),
        kind.kind() + " " + key,
        now -> isTwin(ContentView.of(now), data));
  }

  private static boolean isTwin(ContentView content, DriverData data) {
    return content.data().overlaps(data)
        && !content.isMemberOf(data.group())
        && !(plan(content, data.driver()) instanceof ContentPlan.Delete);
  }

  public static boolean hasEnded(StatusCodeMeanings.Meaning meaning, boolean before) {
    return switch (meaning.begun()) {
      case MAYBE -> false;
      case NOT_BY_THIS_CALL -> !before;
      case NEVER -> true;
    };
  }

  public static Duration pollAfter(Duration age, Duration first) {
    Duration part = age.dividedBy(PARTS);
    Duration atLeast = part.compareTo(first) < 0 ? first : part;
    return atLeast.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : atLeast;
  }

  // Returns why the answer cannot be used; "" if it can.
  public static String flaw(CsiGroupSnapshot group) {
    if (group.id().isEmpty()) {
      return "created a group snapshot without an id";
    }
    for (CsiSnapshot snapshot : group.snapshots()) {
      if (snapshot.id().isEmpty() || snapshot.volume().isEmpty()) {
        return "created a group member without an id or without its source volume";
      }
    }
    return "";
  }
}
