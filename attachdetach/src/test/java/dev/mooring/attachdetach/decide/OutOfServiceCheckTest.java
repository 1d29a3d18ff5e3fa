package dev.mooring.attachdetach.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.OutOfServiceCheck.Death;
import dev.mooring.attachdetach.decide.OutOfServiceCheck.TaintVerdict;
import dev.mooring.live.Fact;
import dev.mooring.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of the decision about the out-of-service taint. */
class OutOfServiceCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-28T22:00:00Z");
  private static final Map<String, Object> OWN =
      Map.of("key", OutOfServiceCheck.TAINT, "value", "mooring", "effect", "NoExecute");
  private static final Map<String, Object> OF_ADMINISTRATOR =
      Map.of("key", OutOfServiceCheck.TAINT, "value", "nodeshutdown", "effect", "NoExecute");
  private static final Map<String, Object> UNREACHABLE =
      Map.of(
          "key",
          "node.kubernetes.io/unreachable",
          "effect",
          "NoExecute",
          "timeAdded",
          "2026-11-28T21:59:00Z");
  private static final String MARK =
      new OutOfServiceMark("example.com/bmc", "boot-1", NOW.toString(), "off").text();
  private static final Optional<Death> DEAD = Optional.of(new Death("example.com/bmc", "off"));
  private static final Optional<Death> UNPROVEN = Optional.empty();

  private static LiveNode node(String ready, String bootId, String mark, List<Map<?, ?>> taints) {
    Map<String, Object> metadata =
        mark.isEmpty()
            ? Map.of("uid", "u", "resourceVersion", "7")
            : Map.of(
                "uid",
                "u",
                "resourceVersion",
                "7",
                "annotations",
                Map.of(OutOfServiceMark.ANNOTATION, mark));
    List<Object> conditions = new ArrayList<>(List.of(Map.of("type", "MemoryPressure")));
    if (!ready.isEmpty()) {
      conditions.add(Map.of("type", "Ready", "status", ready));
    }
    return LiveNode.of(
        ObjectKey.cluster("n1"),
        Map.of(
            "metadata",
            metadata,
            "spec",
            Map.of("taints", taints),
            "status",
            Map.of("conditions", conditions, "nodeInfo", Map.of("bootID", bootId))));
  }

  private record Row(
      String id,
      Fact<LiveNode> node,
      Optional<Death> death,
      Class<? extends TaintVerdict> verdict) {
    Row(String id, LiveNode node, Optional<Death> death, Class<? extends TaintVerdict> verdict) {
      this(id, new Fact.Present<>(node), death, verdict);
    }
  }

  private static List<Row> rows() {
    List<Map<?, ?>> own = List.of(UNREACHABLE, OWN);
    return List.of(
        new Row("U1 gone", new Fact.Absent<>(), DEAD, TaintVerdict.Nothing.class),
        new Row("U2 no answer", new Fact.Unknown<>("504"), DEAD, TaintVerdict.Unknown.class),
        new Row("U3 ready", node("True", "b", "", List.of()), DEAD, TaintVerdict.Nothing.class),
        new Row(
            "U3 taint of an administrator",
            node("Unknown", "b", "", List.of(OF_ADMINISTRATOR)),
            DEAD,
            TaintVerdict.Nothing.class),
        new Row(
            "U3 unreadable annotation, ready",
            node("True", "b", "x", List.of()),
            UNPROVEN,
            TaintVerdict.Nothing.class),
        new Row(
            "U3 never reported a boot id",
            node("Unknown", "", "", List.of()),
            DEAD,
            TaintVerdict.Nothing.class),
        new Row(
            "U3 a boot id that the annotation cannot hold",
            node("Unknown", "boot 1", "", List.of()),
            DEAD,
            TaintVerdict.Nothing.class),
        new Row(
            "U3 never reported readiness",
            node("", "b", "", List.of()),
            DEAD,
            TaintVerdict.Nothing.class),
        new Row(
            "U4 tainted, has not returned",
            node("Unknown", "boot-1", MARK, own),
            UNPROVEN,
            TaintVerdict.AwaitRestart.class),
        new Row(
            "U4 an administrator removed the taint",
            node("Unknown", "boot-1", MARK, List.of(UNREACHABLE)),
            DEAD,
            TaintVerdict.AwaitRestart.class),
        new Row(
            "U5 silent and off",
            node("Unknown", "b", "", List.of(UNREACHABLE)),
            DEAD,
            TaintVerdict.Taint.class),
        new Row(
            "U5 reported not ready, then off",
            node("False", "b", "", List.of()),
            DEAD,
            TaintVerdict.Taint.class),
        new Row(
            "U6 ready, an administrator removed the taint",
            node("True", "boot-1", MARK, List.of()),
            UNPROVEN,
            TaintVerdict.Unmark.class),
        new Row(
            "U6 restarted, an administrator removed the taint",
            node("False", "boot-2", MARK, List.of()),
            DEAD,
            TaintVerdict.Unmark.class),
        new Row(
            "U8 restarted, and silent again",
            node("Unknown", "boot-2", MARK, own),
            UNPROVEN,
            TaintVerdict.Untaint.class),
        new Row(
            "U7 ready without a restart",
            node("True", "boot-1", MARK, own),
            UNPROVEN,
            TaintVerdict.KeepTaint.class),
        new Row(
            "U7 ready, boot id missing",
            node("True", "", MARK, own),
            UNPROVEN,
            TaintVerdict.KeepTaint.class),
        new Row(
            "U8 ready after a restart",
            node("True", "boot-2", MARK, own),
            UNPROVEN,
            TaintVerdict.Untaint.class),
        new Row(
            "U9 silent, no proof",
            node("Unknown", "b", "", List.of()),
            UNPROVEN,
            TaintVerdict.Recheck.class),
        new Row(
            "U10 ready after a restart, a plugin reports it as off",
            node("True", "boot-2", MARK, own),
            DEAD,
            TaintVerdict.KeepByProof.class),
        new Row(
            "U10 restarted, and off again",
            node("Unknown", "boot-2", MARK, own),
            DEAD,
            TaintVerdict.Recheck.class),
        new Row(
            "U11 own value without annotation",
            node("True", "b", "", own),
            UNPROVEN,
            TaintVerdict.KeepUnmarked.class),
        new Row(
            "U11 silent, own value without annotation",
            node("Unknown", "b", "", own),
            DEAD,
            TaintVerdict.KeepUnmarked.class),
        new Row(
            "U11 unreadable annotation",
            node("True", "b", "x", own),
            UNPROVEN,
            TaintVerdict.KeepUnmarked.class));
  }

  private static TaintVerdict decide(Fact<LiveNode> node, Optional<Death> death) {
    return OutOfServiceCheck.decideByDeath(OutOfServiceCheck.decide(node), death, NOW);
  }

  @TestFactory
  Stream<DynamicTest> decide_everyRow_hasItsVerdict() {
    return rows().stream()
        .map(row ->
            DynamicTest.dynamicTest(
                row.id(),
                () -> assertThat(decide(row.node(), row.death())).isInstanceOf(row.verdict())));
  }

  @Test
  void taintLists_otherTaints_keepAllFields() {
    LiveNode node = node("Unknown", "b", "", List.of(UNREACHABLE));
    List<Map<?, ?>> tainted = OutOfServiceCheck.addTaint(node);
    assertThat(tainted).containsExactly(UNREACHABLE, OWN);
    assertThat(OutOfServiceCheck.removeTaint(node("True", "c", MARK, tainted)))
        .containsExactly(UNREACHABLE);
  }

  @Test
  void mark_longEvidence_isParsedAgain() {
    OutOfServiceMark mark =
        new OutOfServiceMark("example.com/bmc", "b", NOW.toString(), "a: b c: d" + "x".repeat(900));
    assertThat(OutOfServiceMark.parse(mark.text())).contains(mark);
    assertThat(mark.text()).hasSizeLessThan(700);
  }

  @ParameterizedTest
  @ValueSource(strings = {"example.com/bmc", "power manager", "power: manager", "", "two\nlines"})
  void mark_anyPluginName_isParsedWithItsBootId(String plugin) {
    OutOfServiceMark mark = new OutOfServiceMark(plugin, "boot-1", NOW.toString(), "off");
    assertThat(OutOfServiceMark.parse(mark.text()))
        .hasValueSatisfying(parsed -> assertThat(parsed.bootId()).isEqualTo("boot-1"));
  }

  @Test
  void taint_deadNode_recordsProofAndBoot() {
    TaintVerdict verdict =
        decide(new Fact.Present<>(node("Unknown", "boot-1", "", List.of())), DEAD);
    assertThat(((TaintVerdict.Taint) verdict).mark().text()).isEqualTo(MARK);
  }
}
