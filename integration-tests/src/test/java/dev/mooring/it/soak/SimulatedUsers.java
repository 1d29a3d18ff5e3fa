package dev.mooring.it.soak;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.simulate.DriverSimulator;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Simulated users that create, use, expand and delete volumes, one cycle after the other. */
final class SimulatedUsers {
  private static final Duration TIMEOUT = Duration.ofMinutes(8);
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final RestartingServer server;
  private final AtomicLong completedCycles = new AtomicLong();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final Set<String> usedVersions = ConcurrentHashMap.newKeySet();
  private final CountDownLatch stop = new CountDownLatch(1);
  private List<Thread> users = List.of();

  SimulatedUsers(RestartingServer server) throws StatusException {
    this.server = server;
    create(
        KindCatalogue.CLASSES,
        "{'metadata':{'name':'made'},'provisioner':'kubernetes.io/host-path','reclaimPolicy':'Delete'}");
    create(
        KindCatalogue.CLASSES,
        "{'metadata':{'name':'marks'},'provisioner':'%s','reclaimPolicy':'Delete'}"
            .formatted(ChangingPlugin.PROVISIONER));
    create(
        KindCatalogue.CLASSES,
        "{'metadata':{'name':'grows'},'provisioner':'example.com/nobody','allowVolumeExpansion':true}");
  }

  void start(int count) {
    users =
        java.util.stream.IntStream.range(0, count)
            .mapToObj(i -> Thread.ofVirtual().name("user-" + i).start(() -> runUser(i)))
            .toList();
  }

  /** Waits until each user has completed the current cycle. */
  void finish() throws InterruptedException {
    stop.countDown();
    for (Thread user : users) {
      user.join();
    }
  }

  long completedCycles() {
    return completedCycles.get();
  }

  /** Returns the versions of the changing plugin that have created a volume. */
  Set<String> usedVersions() {
    return Set.copyOf(usedVersions);
  }

  /** Returns the rejected requests and the awaited changes that did not happen. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  private void runUser(int user) {
    Random random = new Random(user);
    try {
      for (int cycle = 0; !stop.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS); cycle++) {
        String name = "u" + user + "-" + cycle;
        switch (random.nextInt(5)) {
          case 0 -> provisionAndDelete(name, "made");
          case 1 -> provisionAndDelete(name, "marks");
          case 2 -> expand(name);
          default -> useByPods(name, 1 + random.nextInt(2));
        }
        completedCycles.incrementAndGet();
      }
    } catch (StatusException rejection) {
      failures.add("the server rejected a request of user " + user + ": " + rejection.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (AssertionError timeout) {
      failures.add(String.valueOf(timeout.getMessage()));
    }
  }

  /** Provisions a volume for a claim and deletes both. */
  private void provisionAndDelete(String name, String className) throws StatusException {
    createClaim(name, className, "Filesystem");
    awaitCondition(
        name + " volume is provisioned", () -> hasPhase(KindCatalogue.CLAIMS, name, "Bound"));
    String volume = textAt(KindCatalogue.CLAIMS, name, "spec", "volumeName");
    if (className.equals("marks")) {
      usedVersions.add(
          textAt(KindCatalogue.VOLUMES, volume, "spec", "hostPath", "path").split("/")[1]);
    }
    delete(KindCatalogue.CLAIMS, name);
    awaitCondition(name + " is deleted", () -> !isStored(KindCatalogue.CLAIMS, name));
    awaitCondition(
        volume + " volume is deleted with its claim",
        () -> !isStored(KindCatalogue.VOLUMES, volume));
  }

  /** Expands a claim on a volume of its own. */
  private void expand(String name) throws StatusException {
    createVolume(name, "grows", "Block", "'flexVolume':{'driver':'example.com/flex'}");
    createClaim(name, "grows", "Block");
    awaitCondition(name + " is bound", () -> hasPhase(KindCatalogue.CLAIMS, name, "Bound"));
    server.call(handlers ->
        handlers.update(
            KindCatalogue.CLAIMS,
            "default",
            name,
            WriteOptions.PLAIN,
            current -> {
              JsonBodies.getOrAddChild(current, "spec", "resources", "requests")
                  .addProperty("storage", "2Gi");
              return current;
            }));
    awaitCondition(
        name + " is expanded",
        () -> textAt(KindCatalogue.CLAIMS, name, "status", "capacity", "storage").equals("2Gi"));
    deleteClaimAndVolume(name);
  }

  /** Uses a volume by several pods in sequence. */
  private void useByPods(String name, int podCount) throws StatusException {
    createVolume(
        name,
        "kept",
        "Filesystem",
        "'csi':{'driver':'" + DriverSimulator.NAME + "','volumeHandle':'" + name + "'}");
    createClaim(name, "kept", "Filesystem");
    for (int i = 0; i < podCount; i++) {
      create(
          KindCatalogue.PODS,
          "{'metadata':{'name':'%s'},'spec':{'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]}}"
              .formatted(name, name));
      awaitCondition("pod " + name + " runs", () -> hasPhase(KindCatalogue.PODS, name, "Running"));
      delete(KindCatalogue.PODS, name);
      awaitCondition("pod " + name + " is deleted", () -> !isStored(KindCatalogue.PODS, name));
    }
    awaitCondition(name + " is detached", () -> !isAttached(name));
    deleteClaimAndVolume(name);
  }

  private void deleteClaimAndVolume(String name) throws StatusException {
    delete(KindCatalogue.CLAIMS, name);
    awaitCondition("claim " + name + " is deleted", () -> !isStored(KindCatalogue.CLAIMS, name));
    awaitCondition(name + " is released", () -> hasPhase(KindCatalogue.VOLUMES, name, "Released"));
    delete(KindCatalogue.VOLUMES, name);
    awaitCondition("volume " + name + " is deleted", () -> !isStored(KindCatalogue.VOLUMES, name));
  }

  private void createClaim(String name, String className, String mode) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s','volumeMode':'%s','resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(name, className, mode));
  }

  private void createVolume(String name, String className, String mode, String source)
      throws StatusException {
    create(
        KindCatalogue.VOLUMES,
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'storageClassName':'%s','volumeMode':'%s','persistentVolumeReclaimPolicy':'Retain','claimRef':{'namespace':'default','name':'%s'},%s}}"
            .formatted(name, className, mode, name, source));
  }

  private void create(ResourceType type, String json) throws StatusException {
    JsonObject object = JsonParser.parseString(json.replace('\'', '"')).getAsJsonObject();
    server.call(handlers -> handlers.create(type, namespaceOf(type), object, WriteOptions.PLAIN));
  }

  private void delete(ResourceType type, String name) throws StatusException {
    server.call(handlers -> handlers.delete(type, namespaceOf(type), name, WriteOptions.PLAIN));
  }

  private static String namespaceOf(ResourceType type) {
    return type.namespaced() ? "default" : "";
  }

  private JsonObject find(ResourceType type, String name) {
    String key = ObjectHandlers.makeKey(type, namespaceOf(type), name);
    @Nullable StoredObject stored = server.call(handlers -> handlers.store(type).get(key));
    return stored == null ? new JsonObject() : stored.tree();
  }

  private boolean isStored(ResourceType type, String name) {
    return find(type, name).size() > 0;
  }

  private String textAt(ResourceType type, String name, String... path) {
    return JsonBodies.textAt(find(type, name), path);
  }

  private boolean hasPhase(ResourceType type, String name, String phase) {
    return textAt(type, name, "status", "phase").equals(phase);
  }

  private boolean isAttached(String volume) {
    return server
        .call(handlers -> handlers.store(KindCatalogue.ATTACHMENTS).list("").objects())
        .stream()
        .anyMatch(attachment ->
            JsonBodies.textAt(attachment.tree(), "spec", "source", "persistentVolumeName")
                .equals(volume));
  }

  private static void awaitCondition(String description, BooleanSupplier condition) {
    TestWait.until(TIMEOUT, () -> description, condition::getAsBoolean);
  }
}
