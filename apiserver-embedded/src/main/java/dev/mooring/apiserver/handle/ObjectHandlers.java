package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.admit.AdmissionChain;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Journal;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import dev.mooring.apiserver.webhook.WebhookAdmission;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates, reads, changes and deletes objects, for HTTP requests and for code in the process.
 * Thread-safe.
 */
public final class ObjectHandlers {
  private static final class DryRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient StoredObject dryRunObject;

    DryRunException(StoredObject dryRunObject) {
      super(null, null, false, false);
      this.dryRunObject = dryRunObject;
    }
  }

  private static final int UPDATE_ATTEMPTS = 5;

  @FunctionalInterface
  public interface ObjectEdit {
    /** Returns the new tree. Receives a copy that it may change. */
    JsonObject apply(JsonObject current) throws StatusException;
  }

  private final Map<ResourceType, Store> stores = new HashMap<>();
  private final Supplier<UUID> uidSource;
  private final InstantSource clock;
  private final AdmissionChain admission = new AdmissionChain(this::store);
  private final CustomResources customResources;

  /** Creates handlers over the stores. Types that share objects share a store. */
  public ObjectHandlers(Map<ResourceType, Store> stores) {
    this(stores, UUID::randomUUID, InstantSource.system());
  }

  /** Creates handlers with fixed sources of uids and times, for reproducible results. */
  public ObjectHandlers(Map<ResourceType, Store> stores, Supplier<UUID> uids, InstantSource clock) {
    this.uidSource = uids;
    this.clock = clock;
    this.stores.putAll(stores);
    this.customResources =
        new CustomResources(this, name -> new Store(name, new AtomicLong(1), Journal.NONE));
  }

  /**
   * Creates handlers that can serve custom resources.
   *
   * @param newStore creates a store for the resource with that name
   */
  public ObjectHandlers(
      Map<ResourceType, Store> stores, Function<String, Store> newStore, InstantSource clock) {
    this.uidSource = UUID::randomUUID;
    this.clock = clock;
    this.stores.putAll(stores);
    this.customResources = new CustomResources(this, newStore);
  }

  /** Returns the time of the server's clock. */
  public Instant now() {
    return clock.instant();
  }

  public CustomResources getCustomResources() {
    return customResources;
  }

  public Optional<ResourceType> findType(String group, String version, String plural) {
    Optional<ResourceType> builtInType = KindCatalogue.find(group, version, plural);
    return builtInType.isPresent() ? builtInType : customResources.findType(group, version, plural);
  }

  public Store store(ResourceType type) {
    return type.isCustom()
        ? customResources.getStore(type)
        : Objects.requireNonNull(stores.get(type), type.plural());
  }

  public WebhookAdmission getWebhooks() {
    return admission.webhooks();
  }

  public static String makeKey(ResourceType type, String namespace, String name) {
    return type.namespaced() ? namespace + "/" + name : name;
  }

  public StoredObject get(ResourceType type, String namespace, String name) throws StatusException {
    StoredObject object = store(type).get(makeKey(type, namespace, name));
    if (object == null) {
      throw StatusException.notFound(type, name);
    }
    return object;
  }

  /**
   * Creates an object. The tree must conform to the schema; the handlers take it over and change
   * it.
   */
  public StoredObject create(
      ResourceType type, String namespace, JsonObject tree, WriteOptions options)
      throws StatusException {
    ObjectCreation creation = new ObjectCreation(type, namespace, options, admission);
    JsonObject object = creation.prepare(tree, uidSource.get(), clock.instant());
    creation.validate(object);
    String name = textAt(object, "metadata", "name");
    if (type.isCustom()) {
      customResources.refuseTerminating(type, name);
    }
    Store store = store(type);
    if (store.get(makeKey(type, namespace, name)) == null) {
      admission.charge(type, object, null, options.dryRun());
    }
    StoredObject created =
        commitChange(
            store,
            makeKey(type, namespace, name),
            options,
            current -> {
              if (current != null) {
                throw StatusException.alreadyExists(type, name);
              }
              return object;
            });
    if (type == KindCatalogue.DEFINITIONS && !options.dryRun()) {
      customResources.handleChange(created);
    }
    return created;
  }

  private StoredObject commitChange(
      Store store, String key, WriteOptions options, Store.ObjectChange<StatusException> change)
      throws StatusException {
    try {
      return Objects.requireNonNull(
          store.write(
              key,
              current -> {
                JsonObject tree = change.apply(current);
                if (options.dryRun()) {
                  throw new DryRunException(
                      new StoredObject(
                          key,
                          tree == null ? Objects.requireNonNull(current).tree() : tree,
                          current == null ? 0 : current.version()));
                }
                return tree;
              }));
    } catch (DryRunException dryRun) {
      return dryRun.dryRunObject;
    }
  }

  /**
   * Changes an object: applies the edit to a copy, restores immutable fields, and validates the
   * result.
   */
  public StoredObject update(
      ResourceType type, String namespace, String name, WriteOptions options, ObjectEdit edit)
      throws StatusException {
    ObjectUpdate update = new ObjectUpdate(admission, type, name, options);
    String key = makeKey(type, namespace, name);
    StoredObject existing = store(type).get(key);
    if (existing != null && update.makeCalls(existing.tree()).isConcerned("UPDATE")) {
      return updateUnlocked(type, namespace, update, edit);
    }
    // without origin: a webhook that is configured just now must not be called under the lock
    ObjectUpdate lockedUpdate = new ObjectUpdate(admission, type, name, options.withOrigin(null));
    UpdateOutcome outcome = new UpdateOutcome();
    StoredObject result =
        commitChange(
            store(type),
            key,
            options,
            current -> {
              if (current == null) {
                throw StatusException.notFound(type, name);
              }
              JsonObject object = lockedUpdate.prepare(edit.apply(current.copy()), current);
              return outcome.choose(update, object, current);
            });
    return handleUpdated(update, outcome, result);
  }

  // Webhooks are called without the lock of the store, because they may read and write objects.
  private StoredObject updateUnlocked(
      ResourceType type, String namespace, ObjectUpdate update, ObjectEdit edit)
      throws StatusException {
    for (int attempt = 0; attempt < UPDATE_ATTEMPTS; attempt++) {
      StoredObject old = get(type, namespace, update.name());
      JsonObject object = update.prepare(edit.apply(old.copy()), old);
      UpdateOutcome outcome = new UpdateOutcome();
      StoredObject result =
          commitChange(
              store(type),
              old.key(),
              update.options(),
              current -> {
                if (current == null) {
                  throw StatusException.notFound(type, update.name());
                }
                outcome.isOutdated = current.version() != old.version();
                return outcome.isOutdated
                    ? current.tree()
                    : outcome.choose(update, object, current);
              });
      if (!outcome.isOutdated) {
        return handleUpdated(update, outcome, result);
      }
    }
    throw StatusException.objectModified(type, update.name());
  }

  private StoredObject handleUpdated(
      ObjectUpdate update, UpdateOutcome outcome, StoredObject result) {
    StoredObject finalState = outcome.finalState;
    if (!update.options().dryRun()) {
      handleChange(update.type(), update.name(), finalState == null ? result : null);
    }
    return finalState == null ? result : finalState;
  }

  private void handleChange(ResourceType type, String name, @Nullable StoredObject remaining) {
    if (remaining == null && type == KindCatalogue.NAMESPACES) {
      admission.deleteNamespaceContent(name);
    }
    if (remaining == null && type.isCustom()) {
      customResources.handleObjectDeleted(type);
    }
    if (type == KindCatalogue.DEFINITIONS) {
      if (remaining != null) {
        customResources.handleChange(remaining);
      } else {
        customResources.deleteObjects(name);
      }
    }
  }

  /** Deletes an object, or marks it as being deleted while finalizers or a grace period hold it. */
  public StoredObject delete(ResourceType type, String namespace, String name, WriteOptions options)
      throws StatusException {
    admission.checkDelete(type, name);
    admitDeletion(type, namespace, name, options);
    boolean[] isMarked = new boolean[1];
    boolean isGraceful = ObjectDeletion.isDeletedGracefully(type);
    StoredObject result =
        commitChange(
            store(type),
            makeKey(type, namespace, name),
            options,
            current -> {
              if (current == null) {
                throw StatusException.notFound(type, name);
              }
              WritePreconditions.checkDelete(type, name, current, options);
              JsonObject object = current.copy();
              if (!ObjectDeletion.markTerminating(type, object, options, clock.instant())) {
                isMarked[0] = true;
                return object.equals(current.tree()) ? current.tree() : object;
              }
              if (isGraceful && !options.dryRun()) {
                ObjectDeletion.setFinalDeletionTime(object, clock.instant());
                return object; // watchers see the deletion timestamp before the deletion
              }
              return null;
            });
    if (isGraceful && !isMarked[0] && !options.dryRun()) {
      StoredObject deleted = store(type).<RuntimeException>write(result.key(), current -> null);
      return deleted == null ? result : deleted;
    }
    if (!options.dryRun() && type == KindCatalogue.DEFINITIONS) {
      customResources.deleteObjects(name);
    } else if (!options.dryRun() && type.isCustom() && !isMarked[0]) {
      customResources.handleObjectDeleted(type);
    }
    return !isMarked[0] && isGraceful ? addDeletionTime(result) : result;
  }

  private void admitDeletion(ResourceType type, String namespace, String name, WriteOptions options)
      throws StatusException {
    WebhookCalls calls =
        new WebhookCalls(
            admission.webhooks(),
            type,
            options,
            type == KindCatalogue.NAMESPACES ? name : namespace,
            name);
    if (calls.isConcerned("DELETE")) {
      StoredObject existing = get(type, namespace, name);
      WritePreconditions.checkDelete(type, name, existing, options);
      calls.admitDelete(existing.tree());
    }
  }

  private StoredObject addDeletionTime(StoredObject deleted) {
    JsonObject copy = deleted.copy();
    ObjectDeletion.setFinalDeletionTime(copy, clock.instant());
    return new StoredObject(deleted.key(), copy, deleted.version());
  }

  public void requireActiveNamespace(ResourceType type, String namespace, String name)
      throws StatusException {
    admission.requireActiveNamespace(type, namespace, name);
  }

  /**
   * Evicts a pod: sets the condition DisruptionTarget, then deletes the pod with those options.
   *
   * @throws StatusException if the pod does not exist or a precondition fails
   */
  public void evict(String namespace, String name, WriteOptions deletion) throws StatusException {
    ResourceType pods = KindCatalogue.PODS;
    StoredObject requested = get(pods, namespace, name);
    WritePreconditions.checkDelete(pods, name, requested, deletion);
    new DisruptionBudgets(this).chargeEviction(requested.tree(), deletion.dryRun());
    if (!deletion.dryRun()) {
      update(
          pods,
          namespace,
          name,
          WriteOptions.STATUS,
          pod -> {
            StatusConditions.setCondition(
                pod, "DisruptionTarget", "True", "EvictionByEvictionAPI", "Eviction API: evicting");
            return pod;
          });
    }
    // without the version precondition: the write of the condition changed the version
    delete(pods, namespace, name, deletion.withPreconditions(deletion.uid(), null));
  }

  /**
   * Passes an action on an object through the webhooks, for example an eviction.
   *
   * @param action the body of the request, with its kind
   * @throws StatusException if one refuses it
   */
  public void admitAction(
      ResourceType type, String namespace, JsonObject action, WriteOptions options)
      throws StatusException {
    String name = textAt(action, "metadata", "name");
    WebhookCalls calls = new WebhookCalls(admission.webhooks(), type, options, namespace, name);
    if (calls.isConcerned("CREATE")) {
      calls.admitAction(action);
    }
  }

  public void bind(String namespace, String name, JsonObject binding, WriteOptions options)
      throws StatusException {
    String node = PodBinding.getTargetNode(binding);
    commitChange(
        store(KindCatalogue.PODS),
        makeKey(KindCatalogue.PODS, namespace, name),
        options,
        current -> {
          if (current == null) {
            throw StatusException.notFound(KindCatalogue.PODS, name);
          }
          PodBinding.checkPreconditions(current, name, binding);
          return PodBinding.bind(current.copy(), name, node, binding);
        });
  }
}
