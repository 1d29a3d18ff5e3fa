package dev.mooring.manager.command;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

final class DemoStory {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final class DemoFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
      super(message);
    }
  }

  private final ApiServer server;
  private final ObjectHandlers handlers;
  private final DemoScreen screen;

  DemoStory(ApiServer server, DemoScreen screen) {
    this.server = server;
    this.handlers = server.handlers();
    this.screen = screen;
  }

  boolean run() throws InterruptedException {
    printStep(
        "An API server runs at %s with two simulated nodes; Mooring's controllers run against it (ready %s ms after the process started)."
            .formatted(server.url(), ManagementFactory.getRuntimeMXBean().getUptime()));
    try {
      String volume = dynamic();
      playStaticBinding();
      impossible();
      moved();
      reclaimed(volume);
      title("Done");
      printStep("All objects reached the expected state.");
      return true;
    } catch (DemoFailedException e) {
      printStep("FAILED: " + e.getMessage());
      return false;
    } catch (StatusException e) {
      printStep("FAILED: the API server rejected a request: " + e.getMessage());
      return false;
    }
  }

  private void printStep(String line) throws InterruptedException {
    screen.printStep(line);
  }

  private void title(String line) {
    screen.title(line);
  }

  private void create(ResourceType type, String json) throws StatusException {
    handlers.create(
        type, "default", JsonParser.parseString(json).getAsJsonObject(), WriteOptions.PLAIN);
  }

  private void claim(String name, String size, String className) throws StatusException {
    create(
        KindCatalogue.CLAIMS,
        """
        {"metadata": {"name": "%s"}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "%s", "resources": {"requests": {"storage": "%s"}}}}
        """
            .formatted(name, className, size));
  }

  private Optional<JsonObject> find(ResourceType type, String key) {
    StoredObject object = handlers.store(type).get(key);
    return object == null ? Optional.empty() : Optional.of(object.tree());
  }

  private JsonObject await(
      String description, ResourceType type, String key, Predicate<JsonObject> goal)
      throws DemoFailedException, InterruptedException {
    return awaitSome(description, () -> find(type, key).filter(goal));
  }

  private <T> T awaitSome(String description, Supplier<Optional<T>> query)
      throws DemoFailedException, InterruptedException {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    long version = handlers.store(KindCatalogue.VOLUMES).version();
    while (true) {
      Optional<T> object = query.get();
      if (object.isPresent()) {
        return object.get();
      }
      if (deadlineNanos - System.nanoTime() <= 0) {
        throw new DemoFailedException(
            "after " + PATIENCE.toSeconds() + " s still waiting: " + description);
      }
      handlers.store(KindCatalogue.VOLUMES).awaitVersion(version + 1, 20, TimeUnit.MILLISECONDS);
      version = handlers.store(KindCatalogue.VOLUMES).version();
    }
  }

  private static boolean phase(JsonObject object, String phase) {
    return textAt(object, "status", "phase").equals(phase);
  }

  private JsonObject provisionedFor(String claim) throws DemoFailedException, InterruptedException {
    return awaitSome(
        "a volume is provisioned for claim " + claim,
        () ->
            handlers.store(KindCatalogue.VOLUMES).list("").objects().stream()
                .map(StoredObject::tree)
                .filter(v -> textAt(v, "spec", "claimRef", "name").equals(claim))
                .findFirst());
  }

  private String dynamic() throws StatusException, DemoFailedException, InterruptedException {
    title("Dynamic provisioning: a claim with a class gets a new volume, and its pod runs");
    create(
        KindCatalogue.CLASSES,
        """
        {"metadata": {"name": "directories"}, "provisioner": "kubernetes.io/host-path"}
        """);
    claim("data", "1Gi", "directories");
    printStep(
        "claim data requests 1Gi of class \"directories\": %s"
            .formatted(
                find(KindCatalogue.CLAIMS, "default/data")
                    .map(c -> textAt(c, "status", "phase"))
                    .orElse("?")));
    create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "web"}, "spec": {"containers": [{"name": "web", "image": "web:1"}],
         "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}}
        """);
    printStep("pod web uses the claim and is pending");
    JsonObject volume = provisionedFor("data");
    String name = textAt(volume, "metadata", "name");
    printStep(
        "volume %s (%s) is provisioned at %s"
            .formatted(
                name,
                textAt(volume, "spec", "capacity", "storage"),
                textAt(volume, "spec", "hostPath", "path")));
    await("claim data is Bound", KindCatalogue.CLAIMS, "default/data", c -> phase(c, "Bound"));
    printStep("claim data is Bound to it");
    JsonObject pod =
        await("pod web runs", KindCatalogue.PODS, "default/web", p -> phase(p, "Running"));
    printStep("pod web runs on " + textAt(pod, "spec", "nodeName"));
    return name;
  }

  private void playStaticBinding()
      throws StatusException, DemoFailedException, InterruptedException {
    title("Static binding: a claim gets the smallest sufficient volume");
    for (String size : List.of("50Gi", "5Gi", "2Gi")) {
      create(
          KindCatalogue.VOLUMES,
          """
          {"metadata": {"name": "disk-%1$s"}, "spec": {"capacity": {"storage": "%2$s"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "disks",
           "persistentVolumeReclaimPolicy": "Retain", "nfs": {"server": "nas.example.com", "path": "/export/%1$s"}}}
          """
              .formatted(size.toLowerCase(), size));
    }
    for (String name : List.of("disk-50gi", "disk-5gi", "disk-2gi")) {
      await(
          "volume " + name + " is Available",
          KindCatalogue.VOLUMES,
          name,
          v -> phase(v, "Available"));
    }
    printStep("an administrator creates volumes of 50Gi, 5Gi and 2Gi; they are Available");
    claim("static", "4Gi", "disks");
    printStep("claim static requests 4Gi");
    JsonObject claim =
        await(
            "claim static is Bound",
            KindCatalogue.CLAIMS,
            "default/static",
            c -> phase(c, "Bound"));
    String volumeName = textAt(claim, "spec", "volumeName");
    printStep("claim static is Bound to " + volumeName);
    if (!volumeName.equals("disk-5gi")) {
      throw new DemoFailedException("claim static should be bound to disk-5gi");
    }
  }

  private void impossible() throws StatusException, DemoFailedException, InterruptedException {
    title("A claim that cannot be bound, and the reason");
    claim("huge", "500Gi", "");
    printStep("claim huge requests 500Gi, without a class");
    String note = eventAbout("huge", "");
    printStep("claim huge is Pending. " + note);
    if (!find(KindCatalogue.CLAIMS, "default/huge").map(c -> phase(c, "Pending")).orElse(false)) {
      throw new DemoFailedException("claim huge should be Pending");
    }
  }

  private String eventAbout(String name, String reason)
      throws DemoFailedException, InterruptedException {
    return awaitSome(
        "an event with the reason " + name + " waits",
        () -> {
          List<JsonObject> events = new ArrayList<>();
          handlers
              .store(KindCatalogue.EVENTS)
              .list("default/")
              .objects()
              .forEach(e -> events.add(e.tree()));
          return events.stream()
              .filter(e -> textAt(e, "involvedObject", "name").equals(name))
              .filter(e -> textAt(e, "reason").startsWith(reason))
              .map(e -> textAt(e, "reason") + ": " + textAt(e, "message"))
              .findFirst();
        });
  }

  private void pod(String name, String claim, String node) throws StatusException {
    create(
        KindCatalogue.PODS,
        """
        {"metadata": {"name": "%1$s"}, "spec": {"nodeName": "%3$s", "containers": [{"name": "%1$s", "image": "%1$s:1"}],
         "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "%2$s"}}]}}
        """
            .formatted(name, claim, node));
  }

  private void moved() throws StatusException, DemoFailedException, InterruptedException {
    title("A pod moves to another node, and its volume follows");
    create(
        KindCatalogue.VOLUMES,
        """
        {"metadata": {"name": "block-1"}, "spec": {"capacity": {"storage": "10Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "blocks",
         "persistentVolumeReclaimPolicy": "Retain", "csi": {"driver": "simulated.mooring.dev", "volumeHandle": "b-1"}}}
        """);
    claim("ledger", "10Gi", "blocks");
    await("claim ledger is Bound", KindCatalogue.CLAIMS, "default/ledger", c -> phase(c, "Bound"));
    pod("db-0", "ledger", "node-1");
    await("pod db-0 runs", KindCatalogue.PODS, "default/db-0", p -> phase(p, "Running"));
    printStep("volume block-1 is attached to node-1, and pod db-0 runs there");
    pod("db-1", "ledger", "node-2");
    printStep(
        "pod db-1 needs the same volume on node-2. " + eventAbout("db-1", "FailedAttachVolume"));
    handlers.delete(KindCatalogue.PODS, "default", "db-0", WriteOptions.PLAIN);
    printStep("pod db-0 is deleted");
    await("pod db-1 runs", KindCatalogue.PODS, "default/db-1", p -> phase(p, "Running"));
    List<String> nodes =
        handlers.store(KindCatalogue.ATTACHMENTS).list("").objects().stream()
            .map(a -> textAt(a.tree(), "spec", "nodeName"))
            .toList();
    printStep("the volume was detached from node-1 and attached to node-2, where pod db-1 runs");
    if (!nodes.equals(List.of("node-2"))) {
      throw new DemoFailedException(
          "volume block-1 should be attached to node-2 only, but is attached to " + nodes);
    }
  }

  private void reclaimed(String volume)
      throws StatusException, DemoFailedException, InterruptedException {
    title("Deletion: the claim is protected while the pod runs, then its volume is deleted");
    handlers.delete(KindCatalogue.CLAIMS, "default", "data", WriteOptions.PLAIN);
    printStep(
        find(KindCatalogue.CLAIMS, "default/data").isPresent()
            ? "claim data is Terminating, and remains while pod web uses it"
            : "claim data is gone although pod web uses it");
    handlers.delete(KindCatalogue.PODS, "default", "web", WriteOptions.PLAIN);
    printStep("pod web is deleted");
    awaitSome(
        "claim data is gone",
        () ->
            find(KindCatalogue.CLAIMS, "default/data").isEmpty()
                ? Optional.of(true)
                : Optional.empty());
    printStep("claim data is gone");
    awaitSome(
        "volume " + volume + " is gone",
        () -> find(KindCatalogue.VOLUMES, volume).isEmpty() ? Optional.of(true) : Optional.empty());
    printStep(
        "volume " + volume + " was Released, then deleted with its data (reclaim policy Delete)");
  }
}
