package io.headgate.state;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.JavaSerializationFilterConfig;

/**
 * Which Java objects a member takes from the wire. Nothing of ours is sent as one. Hazelcast itself
 * sends one kind, the exception with which a call failed, and so the list has exceptions, the parts
 * they consist of, and nothing else: no collection that hashes, no proxy, no class of an
 * application.
 *
 * <p>An exception that is not listed does not reach its caller, whose call then ends by its time.
 */
final class JavaObjects {
  /** Packages of Hazelcast with the exceptions that calls fail with, and little else. */
  private static final String[] PACKAGES = {
    "com.hazelcast.core",
    "com.hazelcast.nio.serialization",
    "com.hazelcast.partition",
    "com.hazelcast.spi.exception",
    "com.hazelcast.splitbrainprotection",
  };

  private static final String[] CLASSES = {
    "com.hazelcast.internal.cluster.impl.ConfigMismatchException",
    "com.hazelcast.internal.cluster.impl.VersionMismatchException",
    "com.hazelcast.internal.partition.PartitionStateVersionMismatchException",
    "com.hazelcast.map.ReachedMaxSizeException",
    "com.hazelcast.transaction.TransactionException",
    "com.hazelcast.version.MemberVersion",
    "java.io.EOFException",
    "java.io.IOException",
    "java.io.InvalidClassException",
    "java.io.NotSerializableException",
    "java.io.ObjectStreamException",
    "java.io.StreamCorruptedException",
    "java.io.UTFDataFormatException",
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.AssertionError",
    "java.lang.ClassCastException",
    "java.lang.ClassNotFoundException",
    "java.lang.Error",
    "java.lang.Exception",
    "java.lang.ExceptionInInitializerError",
    "java.lang.IllegalAccessException",
    "java.lang.IllegalArgumentException",
    "java.lang.IllegalStateException",
    "java.lang.IncompatibleClassChangeError",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.InstantiationException",
    "java.lang.InterruptedException",
    "java.lang.LinkageError",
    "java.lang.NegativeArraySizeException",
    "java.lang.NoClassDefFoundError",
    "java.lang.NoSuchMethodError",
    "java.lang.NoSuchMethodException",
    "java.lang.NullPointerException",
    "java.lang.NumberFormatException",
    "java.lang.OutOfMemoryError",
    "java.lang.ReflectiveOperationException",
    "java.lang.RuntimeException",
    "java.lang.SecurityException",
    "java.lang.StackOverflowError",
    "java.lang.StackTraceElement",
    "java.lang.Throwable",
    "java.lang.UnsupportedOperationException",
    "java.lang.VirtualMachineError",
    "[Ljava.lang.StackTraceElement;",
    "[Ljava.lang.Throwable;",
    "java.util.ArrayList",
    "java.util.Collections$EmptyList",
    "java.util.Collections$UnmodifiableCollection",
    "java.util.Collections$UnmodifiableList",
    "java.util.Collections$UnmodifiableRandomAccessList",
    "java.util.ConcurrentModificationException",
    "java.util.NoSuchElementException",
    "java.util.concurrent.CancellationException",
    "java.util.concurrent.CompletionException",
    "java.util.concurrent.ExecutionException",
    "java.util.concurrent.RejectedExecutionException",
    "java.util.concurrent.TimeoutException",
  };

  private JavaObjects() {}

  static JavaSerializationFilterConfig filter() {
    return new JavaSerializationFilterConfig()
        .setDefaultsDisabled(true)
        .setWhitelist(new ClassFilter().addPackages(PACKAGES).addClasses(CLASSES));
  }
}
