package dev.mooring.attachdetach.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.explain.AttachmentView.DriverState;
import dev.mooring.model.Attachment;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reasons of VolumeAttachments: one row per way to wait. */
class AttachmentViewTest {
  private static final String DRIVER_FINALIZER = "external-attacher/d";

  private static @Nullable AttachStep createStep(@Nullable String name) {
    return switch (name) {
      case "keep" -> new AttachStep.Keep("n");
      case "attach" -> new AttachStep.Attach("n");
      case "detach" -> new AttachStep.Detach("n", Grounds.UNUSED);
      case "in-use" ->
          new AttachStep.Hold(new VolumeHolder("n", VolumeHolder.HoldReason.IN_USE, null));
      case "not-ready" ->
          new AttachStep.Hold(
              new VolumeHolder("n", VolumeHolder.HoldReason.IN_USE_NOT_READY, null));
      case "gone" ->
          new AttachStep.Hold(new VolumeHolder("n", VolumeHolder.HoldReason.IN_USE_GONE, null));
      case "blocked" ->
          new AttachStep.Blocked(
              "n", List.of(new VolumeHolder("m", VolumeHolder.HoldReason.WANTED, null)));
      case null -> null;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Columns: attached, last error, driver, step, reason. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "true,  '', PRESENT,          keep,      ATTACHED",
        "true,  '', ABSENT,           keep,      ATTACHED",
        "true,  '', PRESENT,          -,         ATTACHED",
        "false, '', PRESENT,          attach,    ATTACHING",
        "false, '', PRESENT,          -,         ATTACHING",
        "false, e,  PRESENT,          attach,    ATTACH_FAILED",
        "false, e,  NOT_ON_NODE,      attach,    DRIVER_NOT_ON_NODE",
        "false, '', ABSENT,           attach,    DRIVER_ABSENT",
        "false, '', ATTACHES_NOTHING, -,         ATTACH_NOT_NEEDED",
        "false, '', PRESENT,          blocked,   MULTI_ATTACH",
        "true,  '', PRESENT,          detach,    DETACH_DUE",
        "false, e,  ABSENT,           detach,    DETACH_DUE",
        "true,  '', PRESENT,          in-use,    UNMOUNT_AWAITED",
        "true,  '', PRESENT,          not-ready, FORCE_AWAITED",
        "true,  '', PRESENT,          gone,      FORCE_AWAITED",
      })
  void findReason_requestedAttachment_returnsRow(
      boolean attached,
      String error,
      DriverState driver,
      @Nullable String step,
      AttachReason reason) {
    Attachment attachment = attachment(attached, error, "", false, List.of(DRIVER_FINALIZER));
    assertThat(
            new AttachmentView(attachment, false, false, driver, false, false, createStep(step))
                .findReason())
        .isEqualTo(reason);
    assertThat(
            new AttachmentView(attachment, true, false, driver, false, false, createStep(step))
                .findReason())
        .isEqualTo(AttachReason.VOLUME_OBJECT_ABSENT);
  }

  @ParameterizedTest
  @CsvSource({"detach, ATTACHED_BY_OTHERS", "keep, ATTACHED"})
  void findReason_foreignAttachment_returnsRow(String step, AttachReason reason) {
    Attachment attachment = attachment(true, "", "", false, List.of());
    assertThat(
            new AttachmentView(
                    attachment, false, true, DriverState.PRESENT, false, false, createStep(step))
                .findReason())
        .isEqualTo(reason);
  }

  /** A controller that saw the claim remembers the volume, and waits for the pod. */
  @ParameterizedTest
  @CsvSource({"detach, POD_REMAINS", "keep, ATTACHED", "in-use, UNMOUNT_AWAITED"})
  void findReason_podRemains_returnsRow(String step, AttachReason reason) {
    Attachment attachment = attachment(true, "", "", false, List.of());
    assertThat(
            new AttachmentView(
                    attachment, false, false, DriverState.PRESENT, false, true, createStep(step))
                .findReason())
        .isEqualTo(reason);
  }

  /** Columns: last error, driver, finalizers, reason. */
  @ParameterizedTest
  @CsvSource({
    "'', PRESENT, external-attacher/d, DETACHING",
    "e,  PRESENT, external-attacher/d, DETACH_FAILED",
    "e,  NOT_ON_NODE, external-attacher/d, DETACH_FAILED",
    "'', ABSENT,  external-attacher/d, DRIVER_ABSENT",
    "'', PRESENT, example.com/x, ATTACHMENT_HELD",
    "'', PRESENT, '', DETACHING",
  })
  void findReason_deletedAttachment_returnsRow(
      String error, DriverState driver, String finalizer, AttachReason reason) {
    List<String> finalizers = finalizer.isEmpty() ? List.of() : List.of(finalizer);
    Attachment attachment = attachment(true, "", error, true, finalizers);
    assertThat(
            new AttachmentView(attachment, true, false, driver, false, false, createStep("keep"))
                .findReason())
        .isEqualTo(reason);
  }

  private static Attachment attachment(
      boolean attached,
      String attachError,
      String detachError,
      boolean isDeleted,
      List<String> finalizers) {
    Meta meta =
        TestObjects.metaOf(ObjectKey.cluster("a"))
            .uid("u")
            .created(1)
            .deleted(isDeleted ? 2 : 0)
            .finalizers(finalizers)
            .meta();
    return TestObjects.attachment(meta)
        .attacher("d")
        .volumeName("v")
        .nodeName("n")
        .attached(attached)
        .attachError(attachError)
        .detachError(detachError)
        .build();
  }
}
