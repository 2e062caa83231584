/** The packages of this folder. They are installed when they are measured, so the types of most checks lack them. */
declare module 'poolifier'
declare module 'roarr'
declare module 'tinypool'
declare module 'workerpool'
