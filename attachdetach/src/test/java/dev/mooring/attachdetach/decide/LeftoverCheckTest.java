package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.LeftoverCheck.LeftoverVerdict;
import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Rows of the decision whether a VolumeAttachment is useless. */
class LeftoverCheckTest {
  private static final String OWN_NAME = "csi-" + "0a".repeat(32);
  private static final Question.ObjectRead<Volume> VOLUME =
      new Question.ObjectRead<>(Kind.VOLUME, ObjectKey.cluster("v"));
  private static final Question.ObjectRead<Attachment> ATTACHMENT =
      new Question.ObjectRead<>(Kind.ATTACHMENT, ObjectKey.cluster(OWN_NAME));
  private static final Attachment CACHED = attachment(OWN_NAME, "u", 0, List.of(), "v", false);

  private static Attachment attachment(
      String name,
      String uid,
      long deleted,
      List<String> finalizers,
      String volume,
      boolean isAttached) {
    Meta meta =
        TestObjects.metaOf(ObjectKey.cluster(name))
            .uid(uid)
            .created(1)
            .deleted(deleted)
            .finalizers(finalizers)
            .meta();
    return TestObjects.attachment(meta)
        .attacher("d")
        .volumeName(volume)
        .nodeName("n")
        .attached(isAttached)
        .build();
  }

  private static Volume volume() {
    return TestObjects.volume(VOLUME.key())
        .uid("v")
        .created(1)
        .capacity(Map.of())
        .source(VolumeSource.csi("d", "h"))
        .reclaimPolicy(ReclaimPolicy.DELETE)
        .status(new Volume.Status(VolumePhase.AVAILABLE, "", ""))
        .build();
  }

  private static DynamicTest row(String title, LiveFacts live, Step<LeftoverVerdict> verdict) {
    return DynamicTest.dynamicTest(
        title, () -> assertThat(LeftoverCheck.decide(CACHED, live)).isEqualTo(verdict));
  }

  @TestFactory
  Stream<DynamicTest> decide_tableRow_returnsVerdict() {
    LiveFacts noVolume = LiveFacts.NONE.with(VOLUME, new Fact.Absent<>());
    return Stream.of(
        row("W0 reads the volume", LiveFacts.NONE, Step.ask(VOLUME)),
        row(
            "W1 its volume exists",
            LiveFacts.NONE.with(VOLUME, new Fact.Present<>(volume())),
            Step.decided(new LeftoverVerdict.Keep("its volume exists"))),
        row(
            "W2 no answer about its volume",
            LiveFacts.NONE.with(VOLUME, new Fact.Unknown<>("x")),
            Step.decided(new LeftoverVerdict.Keep("x"))),
        row("W0 reads the attachment next", noVolume, Step.ask(ATTACHMENT)),
        row(
            "W3 already deleted",
            noVolume.with(ATTACHMENT, new Fact.Absent<>()),
            Step.decided(new LeftoverVerdict.Keep("it is deleted"))),
        row(
            "W4 no answer about it",
            noVolume.with(ATTACHMENT, new Fact.Unknown<>("y")),
            Step.decided(new LeftoverVerdict.Keep("y"))),
        row(
            "W5 another attachment of its name",
            noVolume.with(ATTACHMENT, liveAttachment("other", 0, List.of(), false)),
            Step.decided(new LeftoverVerdict.Keep("another VolumeAttachment has its name now"))),
        row(
            "W6 its attacher added a finalizer",
            noVolume.with(
                ATTACHMENT, liveAttachment("u", 0, List.of("external-attacher/d"), false)),
            Step.decided(new LeftoverVerdict.Keep("an attacher has begun to process it"))),
        row(
            "W6 attached",
            noVolume.with(ATTACHMENT, liveAttachment("u", 0, List.of(), true)),
            Step.decided(new LeftoverVerdict.Keep("an attacher has begun to process it"))),
        row(
            "W7 untouched",
            noVolume.with(ATTACHMENT, liveAttachment("u", 0, List.of(), false)),
            Step.decided(new LeftoverVerdict.Leftover(CACHED))));
  }

  private static Fact<Attachment> liveAttachment(
      String uid, long deleted, List<String> finalizers, boolean isAttached) {
    return new Fact.Present<>(attachment(OWN_NAME, uid, deleted, finalizers, "v", isAttached));
  }

  @Test
  void isSuspect_otherAttachments_isFalse() {
    assertThat(LeftoverCheck.isSuspect(CACHED)).isTrue();
    assertThat(LeftoverCheck.isSuspect(attachment("mine", "u", 0, List.of(), "v", false)))
        .as("foreign name")
        .isFalse();
    assertThat(LeftoverCheck.isSuspect(attachment(OWN_NAME, "u", 0, List.of(), "", false)))
        .as("inline volume")
        .isFalse();
    assertThat(LeftoverCheck.isSuspect(attachment(OWN_NAME, "u", 9, List.of(), "v", false)))
        .as("being deleted")
        .isFalse();
    assertThat(LeftoverCheck.isSuspect(attachment(OWN_NAME, "u", 0, List.of("f"), "v", false)))
        .as("with a finalizer")
        .isFalse();
    assertThat(LeftoverCheck.isSuspect(attachment(OWN_NAME, "u", 0, List.of(), "v", true)))
        .as("attached")
        .isFalse();
  }
}
