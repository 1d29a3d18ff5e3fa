package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.GivenWorlds;
import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.Completion;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.Plugins;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.SimTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** spec/attachdetach.md 14, rows 2 to 17, from the decision to the plugin. */
class JobsTest {
  private static final VolumeId ID = VolumeId.of("example.com/disk", "v");
  private static final AttachTarget TARGET =
      new AttachTarget(ID, "pv", true, "pv", new VolumeSource("disk", Map.of()), Map.of());

  /** A plugin that does as it is told, and remembers what it was asked. */
  private static final class Disks implements VolumePlugin, Attacher, NodeFencing {
    private final List<String> calls = new ArrayList<>();
    private Optional<Failure> fails = Optional.empty();
    private Verdict verdict = new Verdict.Unproven("nobody knows");

    @Override
    public String name() {
      return "example.com/disk";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("disk");
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<NodeFencing> fencing() {
      return Optional.of(this);
    }

    @Override
    public Verdict assess(String node) {
      return verdict;
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of("v");
    }

    private <T> Attempt<T> answer(String call, T value) {
      calls.add(call);
      return fails.<Attempt<T>>map(Attempt.Failed::new).orElseGet(() -> Attempt.done(value));
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      return answer("attach " + request.node(), new Attached("/dev/v"));
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      return answer("detach " + node, new Detached());
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      return Attempt.done(volumeNames);
    }
  }

  private final Disks disks = new Disks();
  private final Plugins plugins =
      new Plugins() {
        @Override
        public Optional<VolumePlugin> named(String name) {
          return name.equals(disks.name()) ? Optional.of(disks) : Optional.empty();
        }

        @Override
        public List<VolumePlugin> supporting(VolumeSource source) {
          return List.of(disks);
        }
      };
  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final GivenWorlds worlds = new GivenWorlds();
  private final DesiredStateOfWorld desired = worlds.desired();
  private final ActualStateUpdater actual = worlds.actual();
  private final AttachStats stats = new AttachStats();
  private final List<String> listed = new ArrayList<>();
  private final List<VolumeNode> woken = new ArrayList<>();
  private boolean heard = true;
  private final Backends backends =
      new Backends(
          new VolumeAttachments(
              cluster.attachments,
              cluster.ports(time),
              java.time.Duration.ofMinutes(2),
              Compat.MOORING),
          plugins,
          id -> heard);
  private final PodReporter reporter =
      new PodReporter(cluster::tell, worlds.state().desired(), time, AttachEventStyle.EXPLAINING);
  private final NodeStatuses statuses =
      new NodeStatuses(
          worlds.state().actual(), cluster.nodes, cluster.ports(time), node -> {}, Compat.MOORING);
  private final Jobs jobs =
      new Jobs(
          worlds.state(),
          new Jobs.Tools(
              backends,
              new DanglingSearch(
                  new DanglingSearch.Sources(
                      backends::attaches, cluster.nodes, cluster.volumes, volume -> TARGET),
                  new DanglingSearch.Tools(
                      worlds.state().actual(), backends, Map::of, reporter, woken::add),
                  Optional.empty(),
                  time),
              statuses,
              new NodeChecks(
                  cluster.server,
                  new Fencing(new LeaseFencing(cluster.server, time), plugins),
                  cluster::tell,
                  AttachEventStyle.EXPLAINING),
              reporter,
              stats,
              listed::add,
              (volume, node) -> {},
              time));

  @BeforeEach
  void aNodeWithAPod() {
    cluster.node("n1");
    desired.use(new PodUse(ObjectKey.of("ns", "p"), Uid.of("1"), "n1"), List.of(TARGET), Set.of());
  }

  private boolean attach(AttachTarget target) throws InterruptedException {
    return succeeded(
        jobs.attach(
            target, "n1", actual.update(new WorldUpdate.Uncertain(target.id(), "n1", target))));
  }

  private static boolean succeeded(Completion end) {
    return end instanceof Completion.Done || end instanceof Completion.Noted;
  }

  private boolean detach(Grounds grounds) throws InterruptedException {
    DetachLimiter limiter = new DetachLimiter(new SimTime(), 1, 1);
    DetachLimiter.Permit permit = limiter.permit(false);
    permit.whenGranted(() -> {});
    boolean succeeded = succeeded(jobs.detach(ID, "n1", grounds, permit));
    permit.end();
    return succeeded;
  }

  private void attachedWithoutPod() throws InterruptedException {
    attach(TARGET);
    desired.end(ObjectKey.of("ns", "p"));
    disks.calls.clear();
    listed.clear();
    cluster.takeNotes();
  }

  @Test
  void row2AttachedReportedAndTold() throws Exception {
    assertThat(attach(TARGET)).isTrue();
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.YES);
    assertThat(actual.reportOf("n1")).containsValue("/dev/v");
    assertThat(listed).containsExactly("n1");
    assertThat(cluster.events).containsExactly("p Normal SuccessfulAttachVolume");
  }

  @Test
  void row9AnUncertainAttachIsRememberedAndNotReported() throws Exception {
    disks.fails = Optional.of(new Failure.Uncertain("timed out"));
    assertThat(attach(TARGET)).isFalse();
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.PERHAPS);
    assertThat(actual.reportOf("n1")).isEmpty();
    assertThat(cluster.notes)
        .containsExactly("AttachVolume.Attach failed for volume \"pv\" : timed out");
  }

  /** Nobody has failed; but what was asked for may be there. */
  @Test
  void anAttachWithoutAnAnswerIsTriedAgainSoon() throws Exception {
    AttachTarget csi =
        new AttachTarget(
            VolumeId.csi("d", "h"), "pv", true, "pv", VolumeSource.csi("d", "h"), Map.of());
    cluster.onCreate = new WriteResult.Unreachable<>("no answer");
    assertThat(
            jobs.attach(csi, "n1", actual.update(new WorldUpdate.Uncertain(csi.id(), "n1", csi))))
        .isInstanceOf(Completion.Unanswered.class);
    assertThat(actual.held(csi.id(), "n1")).isEqualTo(Held.PERHAPS);
  }

  @Test
  void aDetachWithoutAnAnswerIsTriedAgainSoon() throws Exception {
    AttachTarget csi =
        new AttachTarget(
            VolumeId.csi("d", "h"), "pv", true, "pv", VolumeSource.csi("d", "h"), Map.of());
    actual.update(new WorldUpdate.Attached(csi.id(), "n1", "", csi));
    actual.update(new WorldUpdate.Listed(csi.id(), "n1", false));
    cluster.attachment(
        new VolumeId.Csi("d", "h").attachment("n1"), "pv", "n1", false, true, "", "");
    cluster.onDelete = new WriteResult.Unreachable<>("no answer");
    DetachLimiter.Permit permit = new DetachLimiter(new SimTime(), 1, 1).permit(false);
    permit.whenGranted(() -> {});
    assertThat(jobs.detach(csi.id(), "n1", Grounds.UNUSED, permit))
        .isInstanceOf(Completion.Unanswered.class);
    assertThat(actual.held(csi.id(), "n1")).isEqualTo(Held.PERHAPS);
  }

  @Test
  void whatWasCertainlyNotDoneIsForgotten() throws Exception {
    disks.fails = Optional.of(new Failure.Exhausted("full", java.time.Duration.ZERO));
    assertThat(attach(TARGET)).isFalse();
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.NO);
  }

  @Test
  void row3TheStatusIsWrittenBeforeTheDetach() throws Exception {
    attachedWithoutPod();
    cluster.onStatus =
        patch -> {
          disks.calls.add("status");
          return new WriteResult.Written<>(cluster.nodes.snapshot().all().iterator().next());
        };
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    assertThat(detach(Grounds.UNUSED)).isTrue();
    assertThat(disks.calls).containsExactly("status", "detach n1");
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.NO);
  }

  @Test
  void rows5And10IfTheStatusCannotBeWrittenNothingIsDetached() throws Exception {
    attachedWithoutPod();
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.YES);
    assertThat(actual.reportOf("n1")).hasSize(1);
  }

  @Test
  void row11AFailedDetachLeavesItOpenAndUnreported() throws Exception {
    attachedWithoutPod();
    disks.fails = Optional.of(new Failure.Unreachable("backend down"));
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.PERHAPS);
    assertThat(actual.reportOf("n1")).isEmpty();
  }

  @Test
  void row16ThePodIsBack() throws Exception {
    attach(TARGET);
    disks.calls.clear();
    assertThat(detach(Grounds.UNUSED)).isTrue();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.reportOf("n1")).hasSize(1);
  }

  @Test
  void row17TheNodeItselfIsAskedAndHasMountedIt() throws Exception {
    attachedWithoutPod();
    cluster.node("n1", ID.text());
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.held(ID, "n1")).as("nothing happened to it").isEqualTo(Held.YES);
  }

  /** A plugin that has just come finds attached what pods have used all the time. */
  @Test
  void aPluginThatHasNotSaidWhoseVolumesAreItsDetachesNone() throws Exception {
    attachedWithoutPod();
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    heard = false;
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.held(ID, "n1")).isEqualTo(Held.YES);
    assertThat(actual.reportOf("n1")).hasSize(1);
    heard = true;
    assertThat(detach(Grounds.UNUSED)).isTrue();
  }

  /** The cache is behind: its kubelet would still mount what it lists. */
  @Test
  void aStatusThatOnlyTheServerKnowsToListItIsWrittenFirst() throws Exception {
    attachedWithoutPod();
    Node cached = cluster.node("n1");
    statuses.flushForGood("n1");
    Meta meta = cached.meta();
    cluster.onlyLive(
        Kind.NODE,
        Builders.node(meta.key())
            .uid(meta.uid())
            .version(1000)
            .created(1)
            .annotations(meta.annotations())
            .volumesAttached(Map.of(ID.text(), "/dev/v"))
            .build());
    cluster.onStatus =
        patch -> {
          disks.calls.add("status");
          cluster.live.clear();
          return new WriteResult.Written<>(cluster.nodes.snapshot().all().iterator().next());
        };
    assertThat(detach(Grounds.UNUSED)).isTrue();
    assertThat(disks.calls).containsExactly("status", "detach n1");
  }

  @Test
  void unknownIsNotUnused() throws Exception {
    attachedWithoutPod();
    actual.update(new WorldUpdate.Listed(ID, "n1", false));
    statuses.flushForGood("n1"); // else a write's answer tells of the node
    cluster.mute = true;
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(detach(Grounds.TIMEOUT)).isFalse();
    assertThat(disks.calls).isEmpty();
  }

  @Test
  void aNodeThatIsGoneDoesNotUseIt() throws Exception {
    attachedWithoutPod();
    cluster.remove(cluster.nodes, cluster.nodes.snapshot().all().iterator().next());
    assertThat(detach(Grounds.UNUSED)).isTrue();
  }

  @Test
  void rows12And14ForceIsCountedAndRecorded() throws Exception {
    attachedWithoutPod();
    cluster.node(
        "n1",
        "Unknown",
        List.of("node.kubernetes.io/out-of-service=x:NoExecute"),
        List.of(ID.text()),
        Map.of());
    assertThat(detach(Grounds.OUT_OF_SERVICE)).isTrue();
    assertThat(stats.forcedBy(Grounds.OUT_OF_SERVICE)).isEqualTo(1);
    assertThat(cluster.events).containsExactly("n1 Warning VolumeForceDetached");
    assertThat(cluster.notes.getFirst()).contains("out-of-service");
  }

  @Test
  void forceIsNotUsedOnANodeThatIsBack() throws Exception {
    attachedWithoutPod();
    cluster.node("n1", ID.text());
    assertThat(detach(Grounds.TIMEOUT)).isFalse();
    assertThat(detach(Grounds.OUT_OF_SERVICE)).isFalse();
    assertThat(disks.calls).isEmpty();
  }

  @Test
  void evidenceIsLookedForAgainAtTheLastMoment() throws Exception {
    attachedWithoutPod();
    cluster.node("n1", "Unknown", List.of(), List.of(ID.text()), Map.of());
    assertThat(detach(Grounds.EVIDENCE)).isFalse();
    disks.verdict = new NodeFencing.Verdict.Dead("locked out");
    assertThat(detach(Grounds.EVIDENCE)).isTrue();
    assertThat(cluster.notes.getLast()).contains("locked out");
  }

  @Test
  void aPluginThatIsNotLoadedIsNamed() throws Exception {
    AttachTarget other =
        new AttachTarget(
            VolumeId.of("example.com/tape", "t"),
            "tape",
            true,
            "tape",
            new VolumeSource("tape", Map.of()),
            Map.of());
    desired.use(new PodUse(ObjectKey.of("ns", "q"), Uid.of("2"), "n1"), List.of(other), Set.of());
    assertThat(attach(other)).isFalse();
    assertThat(cluster.notes.getFirst()).contains("no plugin \"example.com/tape\"");
    assertThat(actual.held(other.id(), "n1")).isEqualTo(Held.NO);
  }
}
