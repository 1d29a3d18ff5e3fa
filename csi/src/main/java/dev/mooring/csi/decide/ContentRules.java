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
  private static final int AGE_DIVISOR = 4;
  private static final Duration MAX_POLL_DELAY = Duration.ofMinutes(1);

  private ContentRules() {}

  public static ContentPlan plan(ContentView content, String driver) {
    boolean hasOneSource = content.volumes().isEmpty() != content.existing().isNone();
    if (!content.driver().equals(driver) || !hasOneSource) {
      return new ContentPlan.NoAction();
    }
    boolean mayBeCreating = content.hasMark(content.kind().keys().beingCreated());
    boolean isRetained =
        content.policy() != ReclaimPolicy.DELETE; // the creation's outcome does not matter then
    if (content.meta().isBeingDeleted()
        && (!content.created().isNone() || !mayBeCreating || isRetained)
        && isReleasedForDeletion(content)) {
      return planDeletion(content);
    }
    if (content.status().isReady()) {
      return mayBeCreating ? new ContentPlan.ClearCreationMark() : new ContentPlan.NoAction();
    }
    if (content.volumes().isEmpty()) {
      return new ContentPlan.Query(content.existing());
    }
    return content.isOfGroup() ? planMember(content) : new ContentPlan.Create();
  }

  // Group members are created and deleted with their group, whose content supplies the handle.
  private static ContentPlan planMember(ContentView content) {
    return content.created().isNone()
        ? new ContentPlan.NoAction()
        : new ContentPlan.Query(content.created());
  }

  // Deletion needs the snapshot controller's mark, or a content that is bound to no object.
  private static boolean isReleasedForDeletion(ContentView content) {
    boolean isUnbound = !content.existing().isNone() && content.owner().uid().isNone();
    return isUnbound || content.hasMark(content.kind().keys().beingDeleted());
  }

  private static ContentPlan planDeletion(ContentView content) {
    ContentKind.MetadataKeys keys = content.kind().keys();
    if (content.policy() == ReclaimPolicy.DELETE
        && !content.created().isNone()
        && !content.isOfGroup()) {
      return content.hasMark(keys.beingCreated())
          // the mark would start the creation again after the deletion
          ? new ContentPlan.ClearCreationMark()
          : new ContentPlan.Delete(content.created());
    }
    return content.meta().finalizers().contains(keys.protectionFinalizer())
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
    if (cached.owner().key().flaw().isEmpty()) {
      users.add(createOwnerUser(cached.kind().owner(), cached.owner()));
    }
    Question.ObjectRead<?> question =
        new Question.ObjectRead<>(cached.kind().content(), cached.key());
    List<Question<?>> openQuestions = new ArrayList<>();
    users.stream().map(DataUser::question).forEach(openQuestions::add);
    openQuestions.add(
        question); // read last: the following write names the resourceVersion of this answer
    openQuestions.removeIf(live::isAnswered);
    if (!openQuestions.isEmpty()) {
      return new Step.Ask<>(openQuestions);
    }
    return switch (toContentFact(live, question)) {
      case Fact.NotAsked<ContentView> _ -> Step.ask(question);
      case Fact.Absent<ContentView> _ -> Step.decided(new ContentVerdict.Gone()); // H1, H5
      case Fact.Unknown<ContentView>(String reason) ->
          Step.decided(new ContentVerdict.Unknown(reason)); // H2, H6
      case Fact.Present<ContentView>(ContentView liveContent) ->
          isSameDeletion(cached, liveContent, handle)
              ? judgeUsers(live, liveContent, users)
              : Step.decided(new ContentVerdict.Changed()); // H4, H8
    };
  }

  private static <C extends Resource> Fact<ContentView> toContentFact(
      LiveFacts live, Question.ObjectRead<C> question) {
    return switch (live.of(question)) {
      case Fact.NotAsked<C> _ -> new Fact.NotAsked<>();
      case Fact.Absent<C> _ -> new Fact.Absent<>();
      case Fact.Unknown<C>(String reason) -> new Fact.Unknown<>(reason);
      case Fact.Present<C>(C object) -> new Fact.Present<>(ContentView.of(object));
    };
  }

  private static boolean isSameDeletion(
      ContentView cached, ContentView liveContent, DataHandle handle) {
    return liveContent.meta().uid().equals(cached.meta().uid())
        && plan(liveContent, cached.driver()).equals(new ContentPlan.Delete(handle));
  }

  private static Step<ContentVerdict> judgeUsers(
      LiveFacts live, ContentView liveContent, List<DataUser<?>> users) {
    for (DataUser<?> user : users) {
      Optional<Step<ContentVerdict>> result = judgeUser(live, user);
      if (result.isPresent()) {
        return result.get();
      }
    }
    Set<String> judgedUsers = users.stream().map(DataUser::name).collect(Collectors.toSet());
    return Step.decided(new ContentVerdict.Confirmed(liveContent, judgedUsers)); // H3, H7
  }

  private static <T extends Resource> Optional<Step<ContentVerdict>> judgeUser(
      LiveFacts live, DataUser<T> user) {
    return switch (live.of(user.question())) {
      case Fact.Absent<T> _ -> Optional.empty();
      case Fact.Present<T>(T liveUser) ->
          user.usesData().test(liveUser)
              ? Optional.of(Step.decided(new ContentVerdict.InUse(user.name()))) // H9, H10
              : Optional.empty();
      case Fact.Unknown<T>(String reason) ->
          Optional.of(Step.decided(new ContentVerdict.Unknown(reason))); // H11
      case Fact.NotAsked<T> _ -> Optional.of(Step.ask(user.question()));
    };
  }

  // The snapshot or group snapshot uses the data until it is being deleted. A content without a uid
  // is reserved for any of that name.
  private static <O extends Resource> DataUser<O> createOwnerUser(Kind<O> kind, Ref ref) {
    return new DataUser<>(
        new Question.ObjectRead<>(kind, ref.key()),
        kind.kind() + " " + ref.key(),
        liveOwner ->
            (ref.uid().isNone() || liveOwner.meta().uid().equals(ref.uid()))
                && !liveOwner.meta().isBeingDeleted());
  }

  /**
   * Returns a content that names a snapshot or the group of the data. It is no user if it is due
   * for deletion itself, or a member of the group, because members are deleted with the group.
   */
  public static <C extends Resource> DataUser<C> createTwinUser(
      Kind<C> kind, ObjectKey key, DriverData data) {
    return new DataUser<>(
        new Question.ObjectRead<>(kind, key),
        kind.kind() + " " + key,
        liveTwin -> isTwin(ContentView.of(liveTwin), data));
  }

  private static boolean isTwin(ContentView content, DriverData data) {
    return content.data().overlaps(data)
        && !content.isMemberOf(data.group())
        && !(plan(content, data.driver()) instanceof ContentPlan.Delete);
  }

  public static boolean hasEnded(StatusCodeMeanings.Meaning meaning, boolean mayHaveEarlierCall) {
    return switch (meaning.effect()) {
      case MAYBE -> false;
      case NOT_BY_THIS_CALL -> !mayHaveEarlierCall;
      case NEVER -> true;
    };
  }

  public static Duration pollDelay(Duration age, Duration minDelay) {
    Duration delay = age.dividedBy(AGE_DIVISOR);
    Duration boundedDelay = delay.compareTo(minDelay) < 0 ? minDelay : delay;
    return boundedDelay.compareTo(MAX_POLL_DELAY) > 0 ? MAX_POLL_DELAY : boundedDelay;
  }

  // Returns why the answer cannot be used; "" if it can.
  public static String findFlaw(CsiGroupSnapshot group) {
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
