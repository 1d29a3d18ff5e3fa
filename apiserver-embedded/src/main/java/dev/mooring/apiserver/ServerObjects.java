package dev.mooring.apiserver;

import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.store.FileJournal;
import dev.mooring.apiserver.store.Journal;
import dev.mooring.apiserver.store.Store;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The objects of a server, restored from its journal. */
final class ServerObjects implements Closeable {
  // Clients use small numbers for versions that are too old.
  private static final long FIRST_VERSION = 1000;

  private final Optional<FileJournal> journal;
  private final AtomicLong version;
  private final Map<ResourceType, Store> stores = new HashMap<>();
  private final ServerClock clock = new ServerClock();
  private final ObjectHandlers handlers;

  private ServerObjects(Optional<FileJournal> journal) {
    this.journal = journal;
    long restoredVersion = journal.map(j -> j.getLoadedContent().version()).orElse(0L);
    this.version = new AtomicLong(Math.max(FIRST_VERSION, restoredVersion));
    for (ResourceType type : KindCatalogue.ALL) {
      if (!type.isAlias()) {
        stores.put(type, createStore(type.qualifiedName()));
      }
    }
    KindCatalogue.shareStores(stores);
    this.handlers = new ObjectHandlers(stores, this::createStore, clock);
  }

  static ServerObjects open(ApiServer.ServerOptions config) throws IOException {
    Optional<FileJournal> journal =
        config.dataDir() == null
            ? Optional.empty()
            : Optional.of(new FileJournal(config.dataDir()));
    ServerObjects objects = new ServerObjects(journal);
    objects.handlers.getCustomResources().restore();
    ClusterBootstrap.createObjects(objects.handlers, !config.token().isEmpty());
    return objects;
  }

  private Store createStore(String resource) {
    Store store = new Store(resource, version, journal.<Journal>map(j -> j).orElse(Journal.NONE));
    journal.map(j -> j.getLoadedContent().objects().get(resource)).ifPresent(store::restore);
    return store;
  }

  ObjectHandlers handlers() {
    return handlers;
  }

  ServerClock clock() {
    return clock;
  }

  void endWatches() {
    stores.values().forEach(Store::close);
    handlers.getCustomResources().getStores().forEach(Store::close);
  }

  @Override
  public void close() throws IOException {
    if (journal.isPresent()) {
      journal.get().close();
    }
  }
}
