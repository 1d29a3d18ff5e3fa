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

/** Simulated users who create, use, expand and delete volumes in a loop. */
final class SimulatedUsers {
  private static final Duration PATIENCE = Duration.ofMinutes(8);
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final RestartingServer server;
  private final AtomicLong completedLives = new AtomicLong();
  private final Queue<String> stuck = new ConcurrentLinkedQueue<>();
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
            .formatted(ChangingPlugin.NAME));
    create(
        KindCatalogue.CLASSES,
        "{'metadata':{'name':'grows'},'provisioner':'example.com/nobody','allowVolumeExpansion':true}");
  }

  void begin(int count) {
    users =
        java.util.stream.IntStream.range(0, count)
            .mapToObj(i -> Thread.ofVirtual().name("user-" + i).start(() -> live(i)))
            .toList();
  }

  /** Lets current lives finish and starts no others. */
  void end() throws InterruptedException {
    stop.countDown();
    for (Thread user : users) {
      user.join();
    }
  }

  long completedLives() {
    return completedLives.get();
  }

  /** Returns the versions of the changing plugin that have created a volume. */
  Set<String> usedVersions() {
    return Set.copyOf(usedVersions);
  }

  /** Returns the awaited changes that did not happen. */
  List<String> stuck() {
    return List.copyOf(stuck);
  }

  private void live(int user) {
    Random random = new Random(user);
    try {
      for (int n = 0; !stop.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS); n++) {
        String name = "u" + user + "-" + n;
        switch (random.nextInt(5)) {
          case 0 -> provisionAndDelete(name, "made");
          case 1 -> provisionAndDelete(name, "marks");
          case 2 -> expand(name);
          default -> useByPods(name, 1 + random.nextInt(2));
        }
        completedLives.incrementAndGet();
      }
    } catch (StatusException refused) {
      stuck.add("user " + user + " was refused: " + refused.getMessage());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (AssertionError waits) {
      stuck.add(String.valueOf(waits.getMessage()));
    }
  }

  /** Provisions a volume for a claim and deletes both. */
  private void provisionAndDelete(String name, String className) throws StatusException {
    claim(name, className, "Filesystem");
    until(name + " volume is provisioned", () -> is(KindCatalogue.CLAIMS, name, "Bound"));
    String volume = text(KindCatalogue.CLAIMS, name, "spec", "volumeName");
    if (className.equals("marks")) {
      usedVersions.add(
          text(KindCatalogue.VOLUMES, volume, "spec", "hostPath", "path").split("/")[1]);
    }
    delete(KindCatalogue.CLAIMS, name);
    until(name + " is gone", () -> !isThere(KindCatalogue.CLAIMS, name));
    until(
        volume + " volume is deleted with its claim",
        () -> !isThere(KindCatalogue.VOLUMES, volume));
  }

  /** Expands a claim on a volume of its own. */
  private void expand(String name) throws StatusException {
    volume(name, "grows", "Block", "'flexVolume':{'driver':'example.com/flex'}");
    claim(name, "grows", "Block");
    until(name + " is bound", () -> is(KindCatalogue.CLAIMS, name, "Bound"));
    server.ask(handlers ->
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
    until(
        name + " has grown",
        () -> text(KindCatalogue.CLAIMS, name, "status", "capacity", "storage").equals("2Gi"));
    awaitDeletion(name);
  }

  /** Uses a volume by several pods in sequence. */
  private void useByPods(String name, int times) throws StatusException {
    volume(
        name,
        "kept",
        "Filesystem",
        "'csi':{'driver':'" + DriverSimulator.NAME + "','volumeHandle':'" + name + "'}");
    claim(name, "kept", "Filesystem");
    for (int i = 0; i < times; i++) {
      create(
          KindCatalogue.PODS,
          "{'metadata':{'name':'%s'},'spec':{'containers':[{'name':'c','image':'i'}],'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}]}}"
              .formatted(name, name));
      until("pod " + name + " runs", () -> is(KindCatalogue.PODS, name, "Running"));
      delete(KindCatalogue.PODS, name);
      until("pod " + name + " is gone", () -> !isThere(KindCatalogue.PODS, name));
    }
    until(name + " is detached", () -> !isAttached(name));
    awaitDeletion(name);
  }

  private void awaitDeletion(String name) throws StatusException {
    delete(KindCatalogue.CLAIMS, name);
    until("claim " + name + " is gone", () -> !isThere(KindCatalogue.CLAIMS, name));
    until(name + " is released", () -> is(KindCatalogue.VOLUMES, name, "Released"));
    delete(KindCatalogue.VOLUMES, name);
    until("volume " + name + " is gone", () -> !isThere(KindCatalogue.VOLUMES, name));
  }

  private void claim(String name, String className, String mode) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'%s','volumeMode':'%s','resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(name, className, mode));
  }

  private void volume(String name, String className, String mode, String source)
      throws StatusException {
    create(
        KindCatalogue.VOLUMES,
        "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'storageClassName':'%s','volumeMode':'%s','persistentVolumeReclaimPolicy':'Retain','claimRef':{'namespace':'default','name':'%s'},%s}}"
            .formatted(name, className, mode, name, source));
  }

  private void create(ResourceType type, String json) throws StatusException {
    JsonObject object = JsonParser.parseString(json.replace('\'', '"')).getAsJsonObject();
    server.ask(handlers -> handlers.create(type, namespace(type), object, WriteOptions.PLAIN));
  }

  private void delete(ResourceType type, String name) throws StatusException {
    server.ask(handlers -> handlers.delete(type, namespace(type), name, WriteOptions.PLAIN));
  }

  private static String namespace(ResourceType type) {
    return type.namespaced() ? "default" : "";
  }

  private JsonObject find(ResourceType type, String name) {
    String key = ObjectHandlers.makeKey(type, namespace(type), name);
    @Nullable StoredObject found = server.ask(handlers -> handlers.store(type).get(key));
    return found == null ? new JsonObject() : found.tree();
  }

  private boolean isThere(ResourceType type, String name) {
    return find(type, name).size() > 0;
  }

  private String text(ResourceType type, String name, String... path) {
    return JsonBodies.textAt(find(type, name), path);
  }

  private boolean is(ResourceType type, String name, String phase) {
    return text(type, name, "status", "phase").equals(phase);
  }

  private boolean isAttached(String volume) {
    return server
        .ask(handlers -> handlers.store(KindCatalogue.ATTACHMENTS).list("").objects())
        .stream()
        .anyMatch(a ->
            JsonBodies.textAt(a.tree(), "spec", "source", "persistentVolumeName").equals(volume));
  }

  private static void until(String description, BooleanSupplier condition) {
    TestWait.until(PATIENCE, () -> description, condition::getAsBoolean);
  }
}
