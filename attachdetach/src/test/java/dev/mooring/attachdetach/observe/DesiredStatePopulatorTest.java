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

/** spec/attachdetach.md 14, rows 27 to 35 and 50 to 54. */
class DesiredStatePopulatorTest {
  private static final VolumeId V = VolumeId.csi("d", "h-v");
  private static final String NS = AttachCluster.NS;

  private final AttachCluster cluster = new AttachCluster();
  private final StateOfWorld state = new StateOfWorld();
  private final DesiredStateOfWorld desired = state.desired();
  private final ActualStateOfWorld actual = state.actual();
  private final RecordingRequeue requeue = new RecordingRequeue();
  private final VolumeResolver resolver = new VolumeResolver(cluster.caches(), LoadedPlugins.NONE);
  private final DesiredStatePopulator populator =
      new DesiredStatePopulator(
          cluster.caches(), resolver, state, new PluginAnswers(resolver, requeue), requeue);

  private List<VolumeId> woken() {
    return requeue.volumes.stream().map(VolumeNode::volume).toList();
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
      return source.type().equals("disk");
    }

    @Override
    public Optional<VolumePlugin> named(String name) {
      return generations.isEmpty() ? Optional.empty() : Optional.of(this);
    }

    @Override
    public List<VolumePlugin> supporting(VolumeSource source) {
      return generations.isEmpty() || !supports(source) ? List.of() : List.of(this);
    }

    @Override
    public Optional<Attacher> attacher() {
      return Optional.of(this);
    }

    @Override
    public Optional<String> volumeName(VolumeSource source) {
      return Optional.of(source.attribute("name"));
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

  private void pod(Pod pod) {
    populator.apply(new PopulatorTrigger.OfPod(pod.key()));
  }

  @Test
  void pod_wantsItsVolumeOnItsNode() {
    cluster.boundVolume("v", "ReadWriteOnce");
    pod(cluster.pod(NS, "p", "n1", "v"));
    assertThat(desired.wants(V, "n1")).isTrue();
    assertThat(woken()).containsExactly(V);
    assertThat(desired.isExclusive(V)).isTrue();
  }

  @Test
  void rows27And29_endedOrDeletedPods_wantNothing() {
    cluster.boundVolume("v", "ReadWriteOnce");
    Pod pod = cluster.pod(NS, "p", "n1", "v");
    pod(pod);
    pod(cluster.pod(NS, "p", "uid-p", "n1", Pod.Phase.SUCCEEDED, "v"));
    assertThat(desired.wants(V, "n1")).isFalse();
    Pod again = cluster.pod(NS, "p", "n1", "v");
    pod(again);
    assertThat(desired.wants(V, "n1")).isTrue();
    cluster.remove(cluster.pods, again);
    pod(again);
    assertThat(desired.wants(V, "n1")).isFalse();
  }

  @Test
  void row28_podsOnUnmanagedNodes_countAsUsers() {
    cluster.unmanagedNode("n2");
    populator.apply(new PopulatorTrigger.OfNode("n2"));
    cluster.boundVolume("v", "ReadWriteOnce");
    pod(cluster.pod(NS, "p", "n2", "v"));
    assertThat(desired.wants(V, "n2")).isTrue();
    assertThat(desired.isManaged("n2")).isFalse();
    requeue.volumes.clear();
    cluster.node("n2");
    populator.apply(new PopulatorTrigger.OfNode("n2"));
    assertThat(desired.isManaged("n2")).isTrue();
    assertThat(woken()).as("without a change of the pod").contains(V);
  }

  /** A plugin that is loaded after its pods, or that once did not answer. */
  @Test
  void latePlugin_resolvesPodsAgain() {
    VolumeId disk = VolumeId.of("example.com/disks", "1");
    Map<String, Long> generations = new HashMap<>();
    LoadedPlugins plugins = new LaterPlugin(generations);
    VolumeResolver withPlugins = new VolumeResolver(cluster.caches(), plugins);
    PluginAnswers answers = new PluginAnswers(withPlugins, requeue);
    DesiredStatePopulator late =
        new DesiredStatePopulator(cluster.caches(), withPlugins, state, answers, requeue);
    late.begin();
    late.apply(new PopulatorTrigger.OfNode("n1"));
    cluster.boundVolume(
        "v", new VolumeSource("disk", Map.of("name", "1")), Uid.NONE, "ReadWriteOnce");
    late.apply(new PopulatorTrigger.OfPod(cluster.pod(NS, "p", "n1", "v").key()));
    assertThat(desired.wants(disk, "n1")).isFalse();
    answers.askSilentPlugins();
    assertThat(requeue.triggers).as("all plugins have answered").isEmpty();

    generations.put("example.com/disks", 1L);
    assertThat(answers.hasAnswered(disk)).as("whether the pod uses it").isFalse();
    assertThat(answers.hasAnswered(V)).as("other plugins are not concerned").isTrue();
    answers.askSilentPlugins();
    assertThat(requeue.triggers).containsOnly(new PopulatorTrigger.OfPlugins());
    requeue.triggers.clear();
    late.apply(new PopulatorTrigger.OfPlugins());
    assertThat(desired.wants(disk, "n1")).isTrue();
    assertThat(woken()).contains(disk);
    assertThat(answers.hasAnswered(disk)).isTrue();
    answers.askSilentPlugins();
    assertThat(requeue.triggers).isEmpty();
  }

  @Test
  void row32_replacedPod_wantsItsOwnVolumes() {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n2");
    populator.apply(new PopulatorTrigger.OfNode("n2"));
    pod(cluster.pod(NS, "p", "uid-1", "n1", Pod.Phase.RUNNING, "v"));
    pod(cluster.pod(NS, "p", "uid-2", "n2", Pod.Phase.RUNNING, "v"));
    assertThat(desired.wants(V, "n1")).isFalse();
    assertThat(desired.wants(V, "n2")).isTrue();
  }

  @Test
  void row33_claimBoundAfterPodStart_isWanted() {
    pod(cluster.pod(NS, "p", "n1", "v"));
    assertThat(desired.wants(V, "n1")).isFalse();
    cluster.boundVolume("v", "ReadWriteOnce");
    populator.apply(new PopulatorTrigger.OfClaim(ObjectKey.of(NS, "c-v")));
    assertThat(desired.wants(V, "n1")).isTrue();
  }

  @Test
  void volume_seenAfterItsClaim_isWanted() {
    pod(cluster.pod(NS, "p", "n1", "v"));
    cluster.boundVolume("v", "ReadWriteOnce");
    populator.apply(new PopulatorTrigger.OfVolume(ObjectKey.cluster("v")));
    assertThat(desired.wants(V, "n1")).isTrue();
  }

  @Test
  void row34_finishedPod_claimBoundLater_wantsNothing() {
    pod(cluster.pod(NS, "p", "uid-p", "n1", Pod.Phase.FAILED, "v"));
    cluster.boundVolume("v", "ReadWriteOnce");
    populator.apply(new PopulatorTrigger.OfClaim(ObjectKey.of(NS, "c-v")));
    assertThat(desired.wants(V, "n1")).isFalse();
  }

  private Pod ephemeral(String uid) {
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
  void row35_ephemeralVolume_mustBelongToThePod() {
    cluster.boundVolume("v", VolumeSource.csi("d", "h-v"), Uid.of("another"), "ReadWriteOnce");
    assertThat(resolver.resolve(ephemeral("pod-1")).targets()).isEmpty();
    cluster.boundVolume("v", VolumeSource.csi("d", "h-v"), Uid.of("pod-1"), "ReadWriteOnce");
    assertThat(resolver.resolve(ephemeral("pod-1")).targets()).hasSize(1);
  }

  @Test
  void rows31And51To53_driversWithoutAttachments() {
    cluster.boundVolume("v", "ReadWriteOnce");
    Pod pod = cluster.pod(NS, "p", "n1", "v");
    pod(pod);
    assertThat(desired.wants(V, "n1")).as("no CSIDriver: yes").isTrue();
    cluster.driver("d", false);
    populator.apply(new PopulatorTrigger.OfDriver("d"));
    assertThat(desired.wants(V, "n1")).isFalse();
    cluster.driver("d", true);
    populator.apply(new PopulatorTrigger.OfDriver("d"));
    assertThat(desired.wants(V, "n1")).isTrue();
  }

  @Test
  void claimDeletedUnderPod_volumeStaysWanted() {
    cluster.boundVolume("v", "ReadWriteOnce");
    Pod pod = cluster.pod(NS, "p", "n1", "v");
    pod(pod);
    cluster.remove(cluster.claims, cluster.claims.snapshot().all().iterator().next());
    pod(pod);
    assertThat(desired.wants(V, "n1")).isTrue();
  }

  @Test
  void wrongNodeStatus_isReported() {
    actual.setAttached(V, "n1", "", null);
    cluster.node("n1", "True", List.of(), List.of(), Map.of(V.text(), ""));
    populator.apply(new PopulatorTrigger.OfNode("n1"));
    assertThat(requeue.statuses).isEmpty();
    assertThat(requeue.foreign).isEmpty();
    cluster.node("n1", "True", List.of(), List.of(), Map.of("nonsense", ""));
    populator.apply(new PopulatorTrigger.OfNode("n1"));
    assertThat(requeue.foreign).containsExactly("n1");
    assertThat(woken()).contains(V);
  }
}
