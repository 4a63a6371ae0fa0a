/** For programs that will open a store and have much to load before. */
export { type StoreThread, startStoreThread } from "../stores/sqlite/store-thread.ts";
