package dev.mooring.attachdetach.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attacher;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.TestObjects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DesiredStatePopulatorTest {
  private static final VolumeId V = VolumeId.csi("d", "h-v");
  private static final String NS = AttachCluster.NS;

  private final AttachCluster cluster = new AttachCluster();
  private final StateOfWorld state = new StateOfWorld();
  private final DesiredStateOfWorld desired = state.desired();
  private final ActualStateOfWorld actual = state.actual();
  private final RecordingRequeue queues = new RecordingRequeue();
  private final VolumeResolver resolver = new VolumeResolver(cluster.caches(), LoadedPlugins.NONE);
  private final DesiredStatePopulator populator =
      new DesiredStatePopulator(
          cluster.caches(), resolver, state, new PluginAnswers(resolver, queues), queues);

  private List<VolumeId> requeuedVolumes() {
    return queues.volumes.stream().map(VolumeNode::volume).toList();
  }

  @BeforeEach
  void putManagedNode() {
    cluster.node("n1");
    populator.apply(new PopulatorTrigger.OfNode("n1"));
  }

  /** A plugin that is loaded, and answers, from generation 1. */
  private record LaterPlugin(Map<String, Long> generations)
      implements LoadedPlugins, VolumePlugin, Attacher {
    @Override
    public Map<String, Long> generations() {
      return Map.copyOf(generations);
    }

    @Override
    public String name() {
      return "example.com/disks";
    }

    @Override
    public boolean supports(VolumeSource source) {
      return source.type().equals("hostPath");
    }

    @Override
    public Optional<VolumePlugin> find(String name) {
      return generations.isEmpty() ? Optional.empty() : Optional.of(this);
    }

    @Override
    public List<VolumePlugin> findSupporting(VolumeSource source) {
      return generations.isEmpty() || !supports(source) ? List.of() : List.of(this);
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of(source.attribute("path"));
    }

    @Override
    public Attempt<Attached> attach(Request request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Attempt<Detached> detach(String volumeName, String node) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Attempt<Set<String>> attached(String node, Set<String> volumeNames) {
      throw new UnsupportedOperationException();
    }
  }

  private void applyPod(Pod pod) {
    populator.apply(new PopulatorTrigger.OfPod(pod.key()));
  }

  @Test
  void apply_podWithVolume_addsVolumeOnNode() {
    cluster.boundVolume("v", "ReadWriteOnce");
    applyPod(cluster.pod(NS, "p", "n1", "v"));
    assertThat(desired.isNeeded(V, "n1")).isTrue();
    assertThat(requeuedVolumes()).containsExactly(V);
    assertThat(desired.isExclusive(V)).isTrue();
  }

  @Test
  void apply_podEndedOrDeleted_removesVolume() {
    cluster.boundVolume("v", "ReadWriteOnce");
    Pod pod = cluster.pod(NS, "p", "n1", "v");
    applyPod(pod);
    applyPod(cluster.pod(NS, "p", "uid-p", "n1", Pod.Phase.SUCCEEDED, "v"));
    assertThat(desired.isNeeded(V, "n1")).isFalse();
    Pod recreatedPod = cluster.pod(NS, "p", "n1", "v");
    applyPod(recreatedPod);
    assertThat(desired.isNeeded(V, "n1")).isTrue();
    cluster.remove(cluster.pods, recreatedPod);
    applyPod(recreatedPod);
    assertThat(desired.isNeeded(V, "n1")).isFalse();
  }

  @Test
  void apply_podOnUnmanagedNode_addsVolume() {
    cluster.unmanagedNode("n2");
    populator.apply(new PopulatorTrigger.OfNode("n2"));
    cluster.boundVolume("v", "ReadWriteOnce");
    applyPod(cluster.pod(NS, "p", "n2", "v"));
    assertThat(desired.isNeeded(V, "n2")).isTrue();
    assertThat(desired.isManaged("n2")).isFalse();
    queues.volumes.clear();
    cluster.node("n2");
    populator.apply(new PopulatorTrigger.OfNode("n2"));
    assertThat(desired.isManaged("n2")).isTrue();
    assertThat(requeuedVolumes()).as("without a change of the pod").contains(V);
  }

  /** A plugin that is loaded after its pods, or that once did not answer. */
  @Test
  void apply_pluginLoadedLater_resolvesPodsAgain() {
    VolumeId disk = VolumeId.of("example.com/disks", "/dev/1");
    Map<String, Long> generations = new HashMap<>();
    LoadedPlugins plugins = new LaterPlugin(generations);
    VolumeResolver withPlugins = new VolumeResolver(cluster.caches(), plugins);
    PluginAnswers answers = new PluginAnswers(withPlugins, queues);
    DesiredStatePopulator populatorWithPlugins =
        new DesiredStatePopulator(cluster.caches(), withPlugins, state, answers, queues);
    populatorWithPlugins.recordFirstGenerations();
    populatorWithPlugins.apply(new PopulatorTrigger.OfNode("n1"));
    cluster.boundVolume("v", VolumeSource.hostPath("/dev/1"), Uid.NONE, "ReadWriteOnce");
    populatorWithPlugins.apply(new PopulatorTrigger.OfPod(cluster.pod(NS, "p", "n1", "v").key()));
    assertThat(desired.isNeeded(disk, "n1")).isFalse();
    answers.requeueSilentPlugins();
    assertThat(queues.triggers).as("all plugins have answered").isEmpty();

    generations.put("example.com/disks", 1L);
    assertThat(answers.hasAnswered(disk)).as("whether the pod uses it").isFalse();
    assertThat(answers.hasAnswered(V)).as("other plugins are not concerned").isTrue();
    answers.requeueSilentPlugins();
    assertThat(queues.triggers).containsOnly(new PopulatorTrigger.OfPlugins());
    queues.triggers.clear();
    populatorWithPlugins.apply(new PopulatorTrigger.OfPlugins());
    assertThat(desired.isNeeded(disk, "n1")).isTrue();
    assertThat(requeuedVolumes()).contains(disk);
    assertThat(answers.hasAnswered(disk)).isTrue();
    answers.requeueSilentPlugins();
    assertThat(queues.triggers).isEmpty();
  }

  @Test
  void apply_podReplaced_addsVolumesOfNewPod() {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n2");
    populator.apply(new PopulatorTrigger.OfNode("n2"));
    applyPod(cluster.pod(NS, "p", "uid-1", "n1", Pod.Phase.RUNNING, "v"));
    applyPod(cluster.pod(NS, "p", "uid-2", "n2", Pod.Phase.RUNNING, "v"));
    assertThat(desired.isNeeded(V, "n1")).isFalse();
    assertThat(desired.isNeeded(V, "n2")).isTrue();
  }

  @Test
  void apply_claimBoundAfterPodStart_addsVolume() {
    applyPod(cluster.pod(NS, "p", "n1", "v"));
    assertThat(desired.isNeeded(V, "n1")).isFalse();
    cluster.boundVolume("v", "ReadWriteOnce");
    populator.apply(new PopulatorTrigger.OfClaim(ObjectKey.of(NS, "c-v")));
    assertThat(desired.isNeeded(V, "n1")).isTrue();
  }

  @Test
  void apply_volumeCachedAfterClaim_addsVolume() {
    applyPod(cluster.pod(NS, "p", "n1", "v"));
    cluster.boundVolume("v", "ReadWriteOnce");
    populator.apply(new PopulatorTrigger.OfVolume(ObjectKey.cluster("v")));
    assertThat(desired.isNeeded(V, "n1")).isTrue();
  }

  @Test
  void apply_claimOfFinishedPodBound_addsNothing() {
    applyPod(cluster.pod(NS, "p", "uid-p", "n1", Pod.Phase.FAILED, "v"));
    cluster.boundVolume("v", "ReadWriteOnce");
    populator.apply(new PopulatorTrigger.OfClaim(ObjectKey.of(NS, "c-v")));
    assertThat(desired.isNeeded(V, "n1")).isFalse();
  }

  private Pod putEphemeralPod(String uid) {
    Pod plain = cluster.pod(NS, "c", uid, "n1", Pod.Phase.RUNNING);
    Pod pod =
        TestObjects.pod(plain.meta())
            .nodeName("n1")
            .claims(List.of("c-v"))
            .ephemeral(List.of("v"))
            .phase(Pod.Phase.RUNNING)
            .build();
    cluster.remove(cluster.pods, plain);
    cluster.put(Kind.POD, pod);
    return pod;
  }

  @Test
  void resolve_ephemeralVolume_mustBelongToPod() {
    cluster.boundVolume("v", VolumeSource.csi("d", "h-v"), Uid.of("another"), "ReadWriteOnce");
    assertThat(resolver.resolve(putEphemeralPod("pod-1")).targets()).isEmpty();
    cluster.boundVolume("v", VolumeSource.csi("d", "h-v"), Uid.of("pod-1"), "ReadWriteOnce");
    assertThat(resolver.resolve(putEphemeralPod("pod-1")).targets()).hasSize(1);
  }

  @Test
  void apply_driverNeedsNoAttachments_removesVolume() {
    cluster.boundVolume("v", "ReadWriteOnce");
    Pod pod = cluster.pod(NS, "p", "n1", "v");
    applyPod(pod);
    assertThat(desired.isNeeded(V, "n1")).as("no CSIDriver: yes").isTrue();
    cluster.driver("d", false);
    populator.apply(new PopulatorTrigger.OfDriver("d"));
    assertThat(desired.isNeeded(V, "n1")).isFalse();
    cluster.driver("d", true);
    populator.apply(new PopulatorTrigger.OfDriver("d"));
    assertThat(desired.isNeeded(V, "n1")).isTrue();
  }

  @Test
  void apply_claimDeletedWhilePodRuns_keepsVolume() {
    cluster.boundVolume("v", "ReadWriteOnce");
    Pod pod = cluster.pod(NS, "p", "n1", "v");
    applyPod(pod);
    cluster.remove(cluster.claims, cluster.claims.snapshot().objects().iterator().next());
    applyPod(pod);
    assertThat(desired.isNeeded(V, "n1")).isTrue();
  }

  @Test
  void apply_statusListsOtherVolume_requeuesForeignStatus() {
    actual.setAttached(V, "n1", "", null);
    cluster.node("n1", "True", List.of(), List.of(), Map.of(V.text(), ""));
    populator.apply(new PopulatorTrigger.OfNode("n1"));
    assertThat(queues.statuses).isEmpty();
    assertThat(queues.foreignStatuses).isEmpty();
    cluster.node("n1", "True", List.of(), List.of(), Map.of("nonsense", ""));
    populator.apply(new PopulatorTrigger.OfNode("n1"));
    assertThat(queues.foreignStatuses).containsExactly("n1");
    assertThat(requeuedVolumes()).contains(V);
  }
}
