package dev.mooring.benchmarks.scale;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.benchmarks.BenchOutput;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Question: how long does {@code mooring simulate} take, from its start to its report, to delete
 * one of 10,000 bound claims, and a namespace with a tenth of them? Limit: 5 s for one claim.
 */
public final class SimulateBench {
  private static final int[] DEFAULT_SIZES = {10_000};
  private static final int NAMESPACES = 10;
  private static final int ROUNDS = 3;
  private static final double LIMIT_SECONDS = 5;
  private static final List<String> CHANGES = List.of("pvc/data-0", "namespace/ns-0");
  private static final int DATA_LOSS = 4; // exit code

  private SimulateBench() {}

  public static void measure(int... sizes) throws IOException, InterruptedException {
    launch(0, "--version"); // builds the jar of changed sources
    JsonArray results = new JsonArray();
    for (int size : sizes.length == 0 ? DEFAULT_SIZES : sizes) {
      Path snapshot = Files.createTempFile("mooring-bench-", ".json");
      try {
        writeSnapshot(snapshot, size);
        for (String change : CHANGES) {
          results.add(measure(snapshot, size, change));
        }
      } finally {
        Files.delete(snapshot);
      }
    }
    BenchOutput.write("simulate", results);
  }

  private static JsonObject measure(Path snapshot, int size, String change)
      throws IOException, InterruptedException {
    double[] seconds = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      simulate(snapshot, change);
      seconds[round] = (System.nanoTime() - start) / 1e9;
      BenchOutput.progress(
          "%,d claims, deletion of %s: %.1f s".formatted(size, change, seconds[round]));
    }
    double median = Arrays.stream(seconds).sorted().toArray()[ROUNDS / 2];
    System.out.printf("%,d claims, deletion of %s: %.1f s%n", size, change, median);
    if (change.startsWith("pvc/")) {
      BenchOutput.reportLimit(
          "deletion of one of %,d claims within %.0f s".formatted(size, LIMIT_SECONDS),
          median <= LIMIT_SECONDS);
    }
    JsonObject result = new JsonObject();
    result.addProperty("claims", size);
    result.addProperty("deleted", change);
    result.addProperty("seconds", median);
    return result;
  }

  private static void simulate(Path snapshot, String change)
      throws IOException, InterruptedException {
    launch(DATA_LOSS, "simulate", "--from=" + snapshot, "-n", "ns-0", "--delete=" + change);
  }

  private static void launch(int expectedCode, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("mooring.launcher", "mooring"));
    command.addAll(List.of(arguments));
    int code =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (code != expectedCode) {
      throw new IllegalStateException(
          "mooring %s exited with code %d".formatted(String.join(" ", arguments), code));
    }
  }

  private static void writeSnapshot(Path file, int claims) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write(
          """
          {"apiVersion":"v1","kind":"List","mooringSnapshot":1,"items":[
          {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"fast","uid":"class"},"provisioner":"csi.example.com","reclaimPolicy":"Delete","volumeBindingMode":"Immediate"}
          """);
      for (int i = 0; i < NAMESPACES; i++) {
        out.write(
            """
            ,{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns-%1$d","uid":"namespace-%1$d"},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}
            """
                .formatted(i));
      }
      for (int i = 0; i < claims; i++) {
        out.write(boundPair(i, i % NAMESPACES));
      }
      out.write("]}");
    }
  }

  private static String boundPair(int number, int namespace) {
    return """
    ,{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data-%1$d","namespace":"ns-%2$d","uid":"claim-%1$d","creationTimestamp":"2026-01-01T00:00:00Z",
    "annotations":{"pv.kubernetes.io/bind-completed":"yes","volume.kubernetes.io/storage-provisioner":"csi.example.com"},"finalizers":["kubernetes.io/pvc-protection"]},
    "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"storageClassName":"fast","volumeMode":"Filesystem","volumeName":"pvc-%1$d"},
    "status":{"phase":"Bound","accessModes":["ReadWriteOnce"],"capacity":{"storage":"1Gi"}}}
    ,{"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"pvc-%1$d","uid":"volume-%1$d","creationTimestamp":"2026-01-01T00:00:00Z",
    "annotations":{"pv.kubernetes.io/provisioned-by":"csi.example.com"},"finalizers":["kubernetes.io/pv-protection"]},
    "spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"persistentVolumeReclaimPolicy":"Delete","storageClassName":"fast","volumeMode":"Filesystem",
    "csi":{"driver":"csi.example.com","volumeHandle":"handle-%1$d"},"claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"ns-%2$d","name":"data-%1$d","uid":"claim-%1$d"}},
    "status":{"phase":"Bound"}}
    """
        .formatted(number, namespace);
  }
}
