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
import dev.mooring.text.TextTable;
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
  private static final int ROUNDS = 80;
  private static final int OBJECTS_PER_KIND = 5;
  private static final List<String> FINALIZERS =
      List.of("kubernetes.io/pvc-protection", "external-attacher/", "x/y", "orphan");

  private final SimTime time = new SimTime();

  /** A random cluster with few distinct names, so that objects refer to each other. */
  private final class RandomCluster {
    private final Random random;
    private final List<String> names;
    private final GivenClusterView clusterView = new GivenClusterView();
    private final List<SubjectRef> subjects = new ArrayList<>();

    RandomCluster(long seed, List<String> names) {
      this.random = new Random(seed);
      this.names = names;
    }

    private String randomName() {
      return names.get(random.nextInt(names.size()));
    }

    private boolean randomBoolean() {
      return random.nextBoolean();
    }

    private <T> T pick(T[] values) {
      return values[random.nextInt(values.length)];
    }

    private <T extends Resource> void add(Kind<T> kind, Stream<T> objects) {
      List<T> distinct = new ArrayList<>();
      objects.forEach(object -> {
        if (distinct.stream().noneMatch(other -> other.key().equals(object.key()))) {
          distinct.add(object);
          subjects.add(new SubjectRef(kind, object.key()));
        }
      });
      clusterView.with(Informer.of(kind, ListedClusterView.indexes(kind), distinct));
    }

    private <B extends ObjectBuilder<?, B>> B addRandomMarks(B builder) {
      if (randomBoolean()) {
        builder.finalizers(FINALIZERS.get(random.nextInt(FINALIZERS.size())) + randomName());
      }
      if (random.nextInt(3) == 0) {
        builder.deleting();
      }
      return builder
          .annotation("volume.kubernetes.io/selected-node", randomName())
          .annotation("volume.kubernetes.io/storage-provisioner", randomName())
          .annotation("pv.kubernetes.io/provisioned-by", randomName());
    }

    private VolumeSource randomSource() {
      return randomBoolean()
          ? VolumeSource.csi(randomName(), randomName())
          : VolumeSource.hostPath(randomName());
    }

    RandomCluster fill() {
      add(Kind.STORAGE_CLASS, generate(this::storageClass));
      add(Kind.CLAIM, generate(this::claim));
      add(Kind.VOLUME, generate(this::volume));
      add(Kind.POD, generate(this::pod));
      add(
          Kind.ATTACHMENT,
          generate(() ->
              addRandomMarks(TestObjects.attachment(randomName()))
                  .attacher(randomName())
                  .volumeName(randomName())
                  .nodeName(randomName())
                  .attached(randomBoolean())
                  .attachError(randomName())
                  .build()));
      add(
          Kind.NODE,
          generate(() ->
              TestObjects.node(randomName())
                  .taints(List.of(randomName()))
                  .volumesInUse(
                      List.of(
                          randomName(), "kubernetes.io/csi/" + randomName() + "^" + randomName()))
                  .volumesAttached(Map.of(randomName(), randomName()))
                  .build()));
      add(
          Kind.CSI_DRIVER,
          generate(() -> TestObjects.csiDriver(randomName()).storageCapacity(true).build()));
      add(
          Kind.CSI_NODE,
          generate(
              () -> TestObjects.csiNode(randomName()).driver(randomName(), randomName()).build()));
      add(
          Kind.LEASE,
          generate(() ->
              TestObjects.lease(randomName(), randomName().replace('/', '-'))
                  .holder(randomName())
                  .build()));
      add(
          Kind.STORAGE_CAPACITY,
          generate(() ->
              TestObjects.storageCapacity(randomName(), randomName())
                  .storageClass(randomName())
                  .build()));
      add(
          Kind.ATTRIBUTES_CLASS,
          generate(() -> TestObjects.attributesClass(randomName()).driver(randomName()).build()));
      return this;
    }

    private <T> Stream<T> generate(java.util.function.Supplier<T> maker) {
      return Stream.generate(maker).limit(OBJECTS_PER_KIND);
    }

    private StorageClass storageClass() {
      return TestObjects.storageClass(randomName())
          .provisioner(randomName())
          .binding(pick(StorageClass.Binding.values()))
          .build();
    }

    private Claim claim() {
      return addRandomMarks(TestObjects.claim("ns", randomName()))
          .request("1Gi")
          .storageClass(randomBoolean() ? randomName() : null)
          .volumeName(randomBoolean() ? randomName() : "")
          .attributesClass(randomBoolean() ? randomName() : "")
          .phase(pick(ClaimPhase.values()))
          .build();
    }

    private dev.mooring.model.Volume volume() {
      return addRandomMarks(TestObjects.volume(randomName()))
          .storage("1Gi")
          .source(randomSource())
          .storageClass(randomName())
          .claimRef(
              randomBoolean()
                  ? null
                  : new ClaimRef(
                      ObjectKey.of("ns", randomName()),
                      randomBoolean() ? Uid.NONE : Uid.of(randomName())))
          .phase(pick(VolumePhase.values()))
          .build();
    }

    private Pod pod() {
      return addRandomMarks(TestObjects.pod("ns", randomName()))
          .claims(randomName(), randomName())
          .ephemeral(List.of(randomName()))
          .inline(List.of(new Pod.Inline(randomName(), randomSource())))
          .nodeName(randomBoolean() ? randomName() : "")
          .build();
    }

    /** Explains every object and formats the explanations in every form. */
    void explainAll() throws InterruptedException {
      for (Compat compat : Compat.values()) {
        ClusterExplainers explainers = new ClusterExplainers(clusterView, compat, time);
        for (SubjectRef subject : subjects) {
          if (!ClusterExplainers.EXPLAINED_KINDS.contains(subject.kind())) {
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
          long now = time.now().getEpochSecond();
          ExplanationText.of(explanations, TextLayout.plain(now));
          ExplanationText.of(explanations, new TextLayout(true, true, now));
          WaitingText.ofCauses(answer, TextLayout.plain(now));
          WaitingText.ofObjects(answer, WaitingText.Page.ALL, TextLayout.plain(now));
          WaitingText.ofTable(answer, TextTable.TERMINAL, now);
          WaitingText.ofNames(answer);
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
  void explain_oneNameInEveryField_doesNotThrow(String name) {
    assertThatCode(() -> new RandomCluster(1, List.of(name)).fill().explainAll())
        .doesNotThrowAnyException();
  }

  @Test
  void explain_randomNamesInEveryField_doesNotThrow() {
    HostileText text = new HostileText(35);
    for (int seed = 0; seed < ROUNDS; seed++) {
      List<String> sampleNames = List.of(text.nextText(), text.nextText(), "good-name", "");
      RandomCluster cluster = new RandomCluster(seed, sampleNames).fill();
      assertThatCode(cluster::explainAll).as("%s", sampleNames).doesNotThrowAnyException();
    }
  }
}
