package dev.mooring.populator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.StorageClass;
import dev.mooring.populator.decide.PopulatorMarks;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.TestObjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Populations from a URL by a pod, and from another claim's volume by a call. */
class PopulationTest {
  @TempDir Path root;

  private enum Crash {
    BEFORE_WRITE,
    AFTER_WRITE
  }

  private static void assertPopulated(PopulationFixture given) throws Exception {
    assertThat(given.claim().phase()).isEqualTo(ClaimPhase.BOUND);
    assertThat(given.claim().meta().finalizers()).isEmpty();
    assertThat(given.content()).isEqualTo(PopulationFixture.CONTENT);
    assertThat(given.storage.pods()).isEmpty();
    assertThat(given.storage.claims())
        .noneMatch(claim -> claim.key().namespace().equals(PopulationFixture.NAMESPACE));
  }

  private void givenPage(PopulationFixture given) throws InterruptedException {
    given.start(new HttpPopulator());
    given.createSource(HttpPopulator.PAGE, "index", "url", given.url("/page"));
    given.createClaim(HttpPopulator.PAGE, "index");
  }

  @Test
  void population_url_fillsVolumeByPod() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      givenPage(given);
      given.run();
      assertPopulated(given);
      assertThat(given.storage.volumes())
          .singleElement()
          .satisfies(volume ->
              assertThat(volume.meta().annotation(PopulatorMarks.POPULATED_FROM))
                  .isEqualTo("default/index"));
      assertThat(given.events()).containsExactly("PopulatorCreated", "PopulatorFinished");
    }
  }

  @Test
  void population_claimOfAnotherClass_fillsVolumeByCall() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      ClaimCopyPopulator populator = new ClaimCopyPopulator(given.storage::directoryOf);
      given.start(populator);
      ObjectKey original = ObjectKey.of("default", "original");
      given.cluster.put(
          Kind.CLAIM, TestObjects.claim("default", "original").storageClass("slow").build());
      given.storage.act();
      Files.writeString(
          given.storage.directoryOf(original).orElseThrow().resolve(SimulatedStorage.FILE),
          PopulationFixture.CONTENT);
      given.createSource(ClaimCopyPopulator.CLAIM_COPY, "copy", "claim", "original");
      Claim claim = given.createClaim(ClaimCopyPopulator.CLAIM_COPY, "copy");
      given.run();
      assertPopulated(given);
      assertThat(populator.cleanedUp).containsExactly(claim.meta().uid());
      assertThat(given.storage.volumes())
          .extracting(volume -> volume.storageClass())
          .containsExactlyInAnyOrder("fast", "slow");
    }
  }

  /** The watch missed the deletion. */
  @Test
  void claim_createdAgainWithoutSource_losesPrimeClaimOfItsPredecessor() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      givenPage(given);
      given.settle();
      assertThat(given.storage.claims()).hasSize(2);
      given.cluster.put(
          Kind.CLAIM,
          TestObjects.claim(PopulationFixture.CLAIM)
              .uid("33333333-3333-3333-3333-333333333333")
              .storageClass("fast")
              .build());
      given.settle();
      assertThat(given.storage.claims())
          .singleElement()
          .satisfies(claim -> assertThat(claim.key()).isEqualTo(PopulationFixture.CLAIM));
    }
  }

  private static void writeNode(PopulationFixture given, ObjectKey claim, @Nullable String node) {
    given.cluster.patch(
        Kind.CLAIM,
        claim,
        Document.empty().set(node, "metadata", "annotations", PopulatorMarks.SELECTED_NODE));
  }

  /** The node is the only one, and has space only later. */
  @Test
  void population_rejectedNodeIsSelectedAgain_isTriedThereAgain() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      given.cluster.put(
          Kind.STORAGE_CLASS,
          TestObjects.storageClass("fast")
              .provisioner("example.com/fast")
              .binding(StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER)
              .build());
      givenPage(given);
      ObjectKey prime =
          ObjectKey.of(
              PopulationFixture.NAMESPACE, PopulatorMarks.primeName(given.claim().meta().uid()));
      writeNode(given, PopulationFixture.CLAIM, "n1");
      given.settle();
      writeNode(given, prime, null);
      given.settle();
      assertThat(given.claim().meta().annotation(PopulatorMarks.SELECTED_NODE)).isEmpty();
      writeNode(given, PopulationFixture.CLAIM, "n1");
      given.settle();
      assertThat(
              given.cluster.get(Kind.CLAIM, prime).meta().annotation(PopulatorMarks.SELECTED_NODE))
          .isEqualTo("n1");
    }
  }

  @ParameterizedTest
  @EnumSource(Crash.class)
  void population_crashAtEachWrite_isResumed(Crash crash) throws Exception {
    int writes = 0;
    boolean hasCrashed = true;
    while (hasCrashed) {
      try (PopulationFixture given = new PopulationFixture(root.resolve(crash + "-" + writes))) {
        givenPage(given);
        hasCrashed = runWithCrash(given, writes, crash);
        given.run();
        assertPopulated(given);
        assertThat(given.storage.volumes()).as("write %s", writes).hasSize(1);
      }
      writes++;
    }
    assertThat(writes).isGreaterThan(7);
  }

  @ParameterizedTest
  @EnumSource(Crash.class)
  void deletion_crashAtEachWrite_leavesNothing(Crash crash) throws Exception {
    for (int steps = 0; steps < 8; steps++) {
      try (PopulationFixture given = new PopulationFixture(root.resolve(crash + "-" + steps))) {
        givenPage(given);
        for (int step = 0; step < steps; step++) {
          given.step();
        }
        Claim claim = given.claim();
        given.cluster.delete(Kind.CLAIM, claim.key(), claim.meta().uid(), 0);
        runWithCrash(given, steps % 3, crash);
        given.run();
        assertThat(given.storage.claims()).as("step %s", steps).isEmpty();
        assertThat(given.storage.pods()).isEmpty();
        assertThat(given.storage.volumes()).isEmpty();
      }
    }
  }

  /**
   * Runs until the write of that number; the process then ends. Returns whether it came to that.
   */
  private static boolean runWithCrash(PopulationFixture given, int writes, Crash crash)
      throws Exception {
    AtomicInteger remaining = new AtomicInteger(writes);
    given.server.onWrite(request -> {
      int left = remaining.getAndDecrement();
      if (left > 0) {
        return null;
      }
      if (left == 0 && crash == Crash.AFTER_WRITE) {
        repeat(request, given.cluster);
      }
      return new WriteResult.Unreachable<>("the process has ended");
    });
    given.run();
    given.server.onWrite(request -> null);
    given.restart();
    return remaining.get() < 0;
  }

  private static void repeat(Request request, InMemoryCluster cluster) {
    switch (request.verb()) {
      case CREATE -> cluster.create(request.kind(), request.key(), request.document());
      case PATCH -> cluster.patch(request.kind(), request.key(), request.document());
      case DELETE -> cluster.delete(request.kind(), request.key(), request.uid(), 0);
      case PATCH_STATUS, GET, GET_WHOLE, LIST -> throw new IllegalStateException("" + request);
    }
  }

  @Test
  void population_failingPod_isRestartedAfterBackOff() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      given.start(new HttpPopulator());
      given.createSource(HttpPopulator.PAGE, "index", "url", given.url("/missing"));
      given.createClaim(HttpPopulator.PAGE, "index");
      given.run();
      assertThat(given.claim().phase()).isNotEqualTo(ClaimPhase.BOUND);
      assertThat(given.events())
          .filteredOn("PopulatorFailed"::equals)
          .hasSizeBetween(3, 6); // 40 seconds with delays of 1, 2, 4, 8, 16 seconds
    }
  }

  @Test
  void population_missingSource_isReportedOnceAndResumed() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      given.start(new HttpPopulator());
      given.createClaim(HttpPopulator.PAGE, "index");
      given.run();
      assertThat(given.events()).containsExactly("PopulatorDataSourceNotFound");
      given.createSource(HttpPopulator.PAGE, "index", "url", given.url("/page"));
      given.run();
      assertPopulated(given);
    }
  }

  @Test
  void population_foreignClaimOfThatName_isNotTouched() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      UnaryOperator<String> name = prefix -> prefix + "11111111-1111-1111-1111-111111111111";
      Claim foreign =
          given.cluster.put(
              Kind.CLAIM,
              TestObjects.claim(PopulationFixture.NAMESPACE, name.apply("prime-")).build());
      givenPage(given);
      given.run();
      assertThat(given.events()).containsExactly("PrimeClaimNameTaken");
      assertThat(given.server.writes()).noneMatch(request -> request.key().equals(foreign.key()));
      Claim claim = given.claim();
      given.cluster.delete(Kind.CLAIM, claim.key(), claim.meta().uid(), 0);
      given.run();
      assertThat(given.storage.claims()).extracting(Claim::key).containsExactly(foreign.key());
    }
  }

  @Test
  void population_claimBoundMeanwhile_keepsThatVolume() throws Exception {
    try (PopulationFixture given = new PopulationFixture(root)) {
      givenPage(given);
      given.step();
      given.cluster.put(
          Kind.CLAIM,
          TestObjects.like(given.claim())
              .boundTo(
                  given.cluster.put(
                      Kind.VOLUME, TestObjects.volume("own").claimRef(given.claim()).build()))
              .build());
      given.run();
      assertThat(given.claim().volumeName()).isEqualTo("own");
      assertThat(given.claim().meta().finalizers()).isEmpty();
      assertThat(given.storage.volumes())
          .extracting(volume -> volume.meta().name())
          .containsExactly("own");
      assertThat(given.events()).doesNotContain("PopulatorFinished");
    }
  }
}
