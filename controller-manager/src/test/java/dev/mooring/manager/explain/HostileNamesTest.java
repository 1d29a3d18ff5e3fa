package dev.mooring.manager.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.SubjectRef;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Resource;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.GivenClusterView;
import dev.mooring.testkit.HostileText;
import dev.mooring.testkit.ObjectBuilder;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All explainers with hostile names in every field. */
class HostileNamesTest {
  private static final int ROUNDS = 400;
  private static final int EACH = 5;
  private static final List<String> FINALIZERS =
      List.of("kubernetes.io/pvc-protection", "external-attacher/", "x/y", "orphan");

  private final SimTime time = new SimTime();

  /** A random cluster with few distinct names, so that objects refer to each other. */
  private final class Cluster {
    private final Random random;
    private final List<String> names;
    private final GivenClusterView clusterView = new GivenClusterView();
    private final List<SubjectRef> subjects = new ArrayList<>();

    Cluster(long seed, List<String> names) {
      this.random = new Random(seed);
      this.names = names;
    }

    private String name() {
      return names.get(random.nextInt(names.size()));
    }

    private boolean perhaps() {
      return random.nextBoolean();
    }

    private <T> T any(T[] values) {
      return values[random.nextInt(values.length)];
    }

    private <T extends Resource> void add(Kind<T> kind, Stream<T> objects) {
      List<T> all = new ArrayList<>();
      objects.forEach(object -> {
        if (all.stream().noneMatch(other -> other.key().equals(object.key()))) {
          all.add(object);
          subjects.add(new SubjectRef(kind, object.key()));
        }
      });
      clusterView.with(Informer.of(kind, ListedClusterView.indexes(kind), all));
    }

    private <B extends ObjectBuilder<?, B>> B marked(B builder) {
      if (perhaps()) {
        builder.finalizers(FINALIZERS.get(random.nextInt(FINALIZERS.size())) + name());
      }
      if (random.nextInt(3) == 0) {
        builder.deleting();
      }
      return builder
          .annotation("volume.kubernetes.io/selected-node", name())
          .annotation("volume.kubernetes.io/storage-provisioner", name())
          .annotation("pv.kubernetes.io/provisioned-by", name());
    }

    private VolumeSource source() {
      return perhaps() ? VolumeSource.csi(name(), name()) : VolumeSource.hostPath(name());
    }

    Cluster fill() {
      add(Kind.STORAGE_CLASS, made(this::storageClass));
      add(Kind.CLAIM, made(this::claim));
      add(Kind.VOLUME, made(this::volume));
      add(Kind.POD, made(this::pod));
      add(
          Kind.ATTACHMENT,
          made(() ->
              marked(TestObjects.attachment(name()))
                  .attacher(name())
                  .volumeName(name())
                  .nodeName(name())
                  .attached(perhaps())
                  .attachError(name())
                  .build()));
      add(
          Kind.NODE,
          made(() ->
              TestObjects.node(name())
                  .taints(List.of(name()))
                  .volumesInUse(List.of(name(), "kubernetes.io/csi/" + name() + "^" + name()))
                  .volumesAttached(Map.of(name(), name()))
                  .build()));
      add(Kind.CSI_DRIVER, made(() -> TestObjects.csiDriver(name()).storageCapacity(true).build()));
      add(Kind.CSI_NODE, made(() -> TestObjects.csiNode(name()).driver(name(), name()).build()));
      add(
          Kind.LEASE,
          made(() -> TestObjects.lease(name(), name().replace('/', '-')).holder(name()).build()));
      add(
          Kind.STORAGE_CAPACITY,
          made(() -> TestObjects.storageCapacity(name(), name()).storageClass(name()).build()));
      add(
          Kind.ATTRIBUTES_CLASS,
          made(() -> TestObjects.attributesClass(name()).driver(name()).build()));
      return this;
    }

    private <T> Stream<T> made(java.util.function.Supplier<T> maker) {
      return Stream.generate(maker).limit(EACH);
    }

    private StorageClass storageClass() {
      return TestObjects.storageClass(name())
          .provisioner(name())
          .binding(any(StorageClass.Binding.values()))
          .build();
    }

    private Claim claim() {
      return marked(TestObjects.claim("ns", name()))
          .request("1Gi")
          .storageClass(perhaps() ? name() : null)
          .volumeName(perhaps() ? name() : "")
          .attributesClass(perhaps() ? name() : "")
          .phase(any(ClaimPhase.values()))
          .build();
    }

    private dev.mooring.model.Volume volume() {
      return marked(TestObjects.volume(name()))
          .storage("1Gi")
          .source(source())
          .storageClass(name())
          .claimRef(
              perhaps()
                  ? null
                  : new ClaimRef(ObjectKey.of("ns", name()), perhaps() ? Uid.NONE : Uid.of(name())))
          .phase(any(VolumePhase.values()))
          .build();
    }

    private Pod pod() {
      return marked(TestObjects.pod("ns", name()))
          .claims(name(), name())
          .ephemeral(List.of(name()))
          .inline(List.of(new Pod.Inline(name(), source())))
          .nodeName(perhaps() ? name() : "")
          .build();
    }

    /** Explains every object and formats the explanations in every form. */
    void explainAll() throws InterruptedException {
      for (Compat compat : Compat.values()) {
        ClusterExplainers explainers = new ClusterExplainers(clusterView, compat, time);
        for (SubjectRef subject : subjects) {
          if (!ClusterExplainers.KINDS.contains(subject.kind())) {
            continue;
          }
          explainers.explain(subject.kind(), subject.key(), Detail.SUMMARY);
          List<Explanation> explanations =
              explainers.explain(subject.kind(), subject.key(), Detail.EVIDENCE);
          assertThat(explanations).as("of %s", subject).isNotEmpty();
          ExplainAnswer answer =
              new ExplainAnswer(
                  explanations, 1, new ExplainedObject(subject.kind(), subject.key()), List.of());
          ExplanationTree.json(answer);
          ExplanationTree.yaml(answer);
          ExplanationText.of(subject, explanations, time.now().getEpochSecond());
        }
      }
    }
  }

  static Stream<String> names() {
    return Stream.of(
        "nfs-storage",
        "a.b",
        "example.com/nfs",
        "a/b/c",
        "/",
        "-",
        ".",
        "",
        "x",
        "\u00fc\u4e2d\ud83d\udca5",
        "\ud800",
        "a".repeat(253),
        "a".repeat(5_000),
        "kubernetes.io/no-provisioner");
  }

  @ParameterizedTest
  @MethodSource("names")
  void aName_inEveryField_isExplained(String name) {
    assertThatCode(() -> new Cluster(1, List.of(name)).fill().explainAll())
        .doesNotThrowAnyException();
  }

  @Test
  void anyNames_inEveryField_areExplained() {
    HostileText text = new HostileText(35);
    for (int seed = 0; seed < ROUNDS; seed++) {
      List<String> few = List.of(text.next(), text.next(), "good-name", "");
      Cluster cluster = new Cluster(seed, few).fill();
      assertThatCode(cluster::explainAll).as("%s", few).doesNotThrowAnyException();
    }
  }
}
