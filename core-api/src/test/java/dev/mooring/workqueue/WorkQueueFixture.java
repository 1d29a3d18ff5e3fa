package dev.mooring.workqueue;

import dev.mooring.testkit.SimTime;

abstract class WorkQueueFixture {
  final SimTime time = new SimTime();
  final WorkQueue<String> queue = new WorkQueue<>("test", time);

  String take() throws InterruptedException {
    return queue.take() instanceof TakeResult.Item<String>(String key) ? key : "shut down";
  }

  static String takeAndEnd(WorkQueue<String> queue) throws InterruptedException {
    String key = queue.take() instanceof TakeResult.Item<String>(String item) ? item : "shut down";
    queue.done(key);
    return key;
  }
}
